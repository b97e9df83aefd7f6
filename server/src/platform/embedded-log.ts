import { copyFile, type FileHandle, open } from 'node:fs/promises'

const largestBytes = 8 * 1024 * 1024
const checkEveryMs = 60_000

export interface DatabaseLog {
  /** What PostgreSQL writes to, on its own, also after this process is gone. */
  fd: number
  /** The last reason PostgreSQL gave, since the log was opened, for not starting. */
  lastComplaint(): Promise<string>
  close(): Promise<void>
}

/** The log of PostgreSQL: `path`, and `path`.old with what was before; neither grows much past 8 MB. */
export async function openDatabaseLog(path: string): Promise<DatabaseLog> {
  const file = await open(path, 'a+', 0o600)
  const trim = async () => {
    if ((await file.stat()).size < largestBytes) return
    await copyFile(path, `${path}.old`)
    await file.truncate(0)
  }
  await trim()
  const { size: before } = await file.stat()
  // Losing a turn is fine: the next one comes in a minute.
  const timer = setInterval(() => void trim().catch(() => {}), checkEveryMs)
  timer.unref()
  return {
    fd: file.fd,
    lastComplaint: () => lastComplaint(file, before),
    close: () => {
      clearInterval(timer)
      return file.close()
    },
  }
}

async function lastComplaint(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat()
  const length = Math.min(Math.max(size - from, 0), 8192)
  const { buffer } = await file.read({ buffer: Buffer.alloc(length), position: size - length })
  const lines = buffer.toString('utf8').match(/(?<=(?:FATAL|PANIC|error): +)\S.*/g)
  return lines?.at(-1) ?? 'no reason given'
}

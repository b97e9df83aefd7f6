import { rm, stat } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './startup-error.ts'

// A run that was just told to end, or whose launcher was killed, needs a moment to go.
const patienceMs = 5_000

/**
 * Makes this process the only one to use `folder` until `release` or its death. The lock is a listening socket, because
 * the kernel gives it back however the process ends, and no process id can be mistaken for another.
 */
export async function lockFolder(folder: string, inUse: string): Promise<{ release(): void }> {
  const { dev, ino } = await stat(folder)
  const name = `olmos-${dev}-${ino}`
  const deadline = Date.now() + patienceMs
  for (;;) {
    const server = process.platform === 'linux' ? await listen(`\0${name}`) : await listenOnFile(join(tmpdir(), name))
    if (server !== undefined) return { release: () => void server.close() }
    if (Date.now() > deadline) throw new StartupError(inUse)
    await sleep(100)
  }
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

/** Outside Linux the socket has a file, which stays behind when its process is killed. */
async function listenOnFile(path: string): Promise<Server | undefined> {
  const server = await listen(path)
  if (server !== undefined || (await answers(path))) return server
  await rm(path, { force: true })
  return listen(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  })
}

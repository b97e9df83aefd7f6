import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { openWalStream, type WalPosition, type WalStream, walIsGone } from '../../platform/database/wal-stream.ts'
import { toReason } from '../../platform/process.ts'
import { findBeginning, keptWal, markWal, WalWriter } from './kept-wal.ts'

interface Keeping {
  stop(): Promise<void>
}

interface Keeper {
  /** The database itself, for a role that may replicate. */
  url: string
  backupDir: string
  key: Buffer
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

const syncEveryMs = 1_000
const markEveryMs = 5_000
const pauseMs = 1_000
const longestPauseMs = 15_000

/**
 * Writes the WAL down in `backupDir`, sealed, within milliseconds of a commit, and onto the disk within a second. It
 * connects again when the connection breaks, and resumes where it ended; what can't be done is logged, and tried again.
 */
export function keepWal(keeper: Keeper): Keeping {
  const stopping = new AbortController()
  let stream: WalStream | undefined
  const keeping = (async () => {
    let failures = 0
    let said = ''
    while (!stopping.signal.aborted) {
      try {
        stream = await openWalStream(keeper.url)
        if (stopping.signal.aborted) break
        await keepFrom(stream, keeper, () => {
          failures = 0
          said = ''
        })
      } catch (error) {
        failures++
        const reason = toReason(error)
        // One line for each reason: a line for each try would fill the log.
        if (reason !== said && !stopping.signal.aborted) keeper.log.error({ err: error }, 'the WAL is not kept')
        said = reason
      } finally {
        await stream?.close()
      }
      const wait = failures === 0 ? 0 : Math.min(pauseMs * 2 ** (failures - 1), longestPauseMs)
      await sleep(wait, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await stream?.close()
      await keeping
    },
  }
}

/** Keeps what the stream brings, until the server ends it. `onKept` is told whenever all that there is is on the disk. */
async function keepFrom(stream: WalStream, keeper: Keeper, onKept: () => void): Promise<void> {
  const { primary } = stream
  const { timeline, lsn, segmentBytes, system } = primary
  const kept = keptWal(keeper.backupDir, { key: keeper.key, system })
  const write = async (from: WalPosition) => {
    const writer = new WalWriter(kept, { ...from, segmentBytes })
    try {
      await writeStream(stream, { writer, from, ...keeper }, onKept)
    } finally {
      await writer.close()
    }
  }
  try {
    await write(await findBeginning(kept, { primary, history: await stream.readHistory() }))
  } catch (error) {
    if ((error as { code?: string }).code !== walIsGone) throw error
    keeper.log.warn(
      'the database has removed WAL that was not kept yet: nothing can be restored from it until the next backup',
    )
    await write({ timeline, lsn: lsn - (lsn % segmentBytes) })
  }
}

interface Writing {
  writer: WalWriter
  from: WalPosition
  backupDir: string
}

async function writeStream(stream: WalStream, { writer, from, backupDir }: Writing, onKept: () => void): Promise<void> {
  let [syncedAt, markedAt] = [0, 0]
  for await (const { data, completeAt } of stream.read(from)) {
    await writer.write(data)
    const now = Date.now()
    // A disk is asked to write once a second, however many sales there are: those who sell may share it.
    if (now - syncedAt < syncEveryMs) continue
    await writer.sync()
    syncedAt = now
    stream.confirm(writer.end)
    if (!completeAt) continue
    onKept()
    if (now - markedAt < markEveryMs) continue
    await markWal(backupDir, stream.primary.system, completeAt)
    markedAt = now
  }
}

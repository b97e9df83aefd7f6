import { PassThrough, type Readable } from 'node:stream'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'

/** Server-sent events to those who listen at this node; a reader is known by a number. */
export interface LiveEvents {
  /**
   * A stream of what is sent to the reader from now on. It ends after a while, so that who may no longer listen does not.
   * Refuses with RATE_LIMITED who has too many open, and with OVERLOADED when the node has.
   */
  open(reader: number): Readable
  isOpen(reader: number): boolean
  send(reader: number, value: object): void
  /** Ends the streams of the reader with this number, as the database tells it of one whose session ended. */
  endStreams(reader?: string): void
  /** Who comes back asks for everything anew. */
  endAll(): void
}

export function createLiveEvents(): LiveEvents {
  const streams = new Map<number, Set<PassThrough>>()
  let count = 0

  const forget = (reader: number, stream: PassThrough) => {
    const own = streams.get(reader)
    if (!own?.delete(stream)) return
    count--
    if (own.size === 0) streams.delete(reader)
  }
  const write = (stream: PassThrough, text: string) => {
    // Who does not read is let go: nothing is kept for anybody.
    if (stream.readableLength + stream.writableLength > SERVER_LIMITS.liveBacklog) stream.destroy()
    else stream.write(text)
  }

  return {
    open(reader) {
      const own = streams.get(reader) ?? new Set()
      if (own.size >= SERVER_LIMITS.liveStreamsPerUser) {
        throw new Failure('RATE_LIMITED', { retryAfterSeconds: SERVER_LIMITS.liveHeartbeatMs / 1000 })
      }
      if (count >= SERVER_LIMITS.liveStreams) throw new Failure('OVERLOADED')
      const stream = new PassThrough()
      streams.set(reader, own.add(stream))
      count++
      const heartbeat = setInterval(() => write(stream, ':\n\n'), SERVER_LIMITS.liveHeartbeatMs)
      const end = setTimeout(() => stream.end(), SERVER_LIMITS.liveStreamMs)
      stream.on('close', () => {
        clearInterval(heartbeat)
        clearTimeout(end)
        forget(reader, stream)
      })
      write(stream, `retry: ${SERVER_LIMITS.liveRetryMs}\n\n`)
      return stream
    },
    isOpen: (reader) => streams.has(reader),
    send(reader, value) {
      for (const stream of streams.get(reader) ?? []) write(stream, `data: ${JSON.stringify(value)}\n\n`)
    },
    endStreams(reader) {
      for (const stream of streams.get(Number(reader)) ?? []) stream.end()
    },
    endAll() {
      for (const own of streams.values()) for (const stream of own) stream.end()
    },
  }
}

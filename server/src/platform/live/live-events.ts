import { PassThrough, type Readable } from 'node:stream'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'

/** Server-sent events to readers connected to this node; a reader is known by a number. */
export interface LiveEvents {
  /**
   * Opens a stream of what is sent to the reader from now on. It ends after a while, so that it does not outlive the
   * right to read. Refuses with RATE_LIMITED when the reader has too many open, and with OVERLOADED when the node has.
   */
  open(reader: number): Readable
  isOpen(reader: number): boolean
  send(reader: number, value: object): void
  /** Ends the streams of the reader with this number; the database notifies it when a session ends. */
  endStreams(reader?: string): void
  /** A reader that reconnects reads everything again. */
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
    // A reader that falls behind is disconnected: nothing is buffered for long.
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

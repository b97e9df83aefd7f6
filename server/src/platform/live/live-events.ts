import { PassThrough, type Readable } from 'node:stream'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'

/** What a stream is about: own orders, own conversations, or all conversations, for operators. */
export type LiveTopic = 'orders' | 'conversations' | 'desk'

/** Server-sent events to readers connected to this node; a reader is known by a number, a user by the id. */
export interface LiveEvents {
  /**
   * Opens a stream of what is sent to the reader about the topic from now on. It ends after a while, so that it does not
   * outlive the right to read. Refuses with RATE_LIMITED when the reader has too many open, and with OVERLOADED when the
   * node has.
   */
  open(topic: LiveTopic, reader: number): Readable
  isOpen(topic: LiveTopic, reader: number): boolean
  /** Without a reader: to all readers of the topic. */
  send(topic: LiveTopic, value: object, reader?: number): void
  /** Ends the streams of the reader with this number; the database notifies it when a session ends. */
  endStreams(reader?: string): void
  /** A reader that reconnects reads everything again. */
  endAll(): void
}

export function createLiveEvents(): LiveEvents {
  const streams = new Map<number, Map<PassThrough, LiveTopic>>()
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
    open(topic, reader) {
      const own = streams.get(reader) ?? new Map<PassThrough, LiveTopic>()
      if (own.size >= SERVER_LIMITS.liveStreamsPerUser) {
        throw new Failure('RATE_LIMITED', { retryAfterSeconds: SERVER_LIMITS.liveHeartbeatMs / 1000 })
      }
      if (count >= SERVER_LIMITS.liveStreams) throw new Failure('OVERLOADED')
      const stream = new PassThrough()
      streams.set(reader, own.set(stream, topic))
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
    isOpen: (topic, reader) => [...(streams.get(reader)?.values() ?? [])].includes(topic),
    send(topic, value, reader) {
      const readers = reader === undefined ? streams.values() : [streams.get(reader) ?? new Map()]
      for (const own of readers) {
        for (const [stream, about] of own) if (about === topic) write(stream, `data: ${JSON.stringify(value)}\n\n`)
      }
    },
    endStreams(reader) {
      for (const stream of streams.get(Number(reader))?.keys() ?? []) stream.end()
    },
    endAll() {
      for (const own of streams.values()) for (const stream of own.keys()) stream.end()
    },
  }
}

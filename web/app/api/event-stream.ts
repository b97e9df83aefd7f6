import { toApiError, toNetworkError } from './api-error.ts'
import { endSession, storedToken } from './token.ts'

interface Following {
  signal: AbortSignal
  /** The store listens from now on. */
  onOpen(): void
  onEvent(event: unknown): void
}

/**
 * Hears what the store tells on one of its streams, as whoever is logged in; EventSource can't say who that is. Comes
 * back when the stream ends, and fails with an ApiError when it can't be had or breaks off.
 */
export async function followEvents(path: `/${string}`, { signal, onOpen, onEvent }: Following): Promise<void> {
  const token = storedToken()
  const answer = await fetch(`/api${path}`, {
    headers: { accept: 'text/event-stream', ...(token !== null && { authorization: `Bearer ${token}` }) },
    signal,
  }).catch((error: unknown) => {
    throw toNetworkError(error)
  })
  if (answer.status === 401 && token !== null && token === storedToken()) endSession()
  if (!answer.ok || !answer.body) throw toApiError(answer.status, undefined)
  onOpen()

  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  const read = eventReader(onEvent)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) read(part.value)
  } catch (error) {
    throw toNetworkError(error)
  }
}

/** Takes a stream as it comes, in pieces of any size, and hands on what its events carry. */
export function eventReader(onEvent: (event: unknown) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith('data:'))
      if (lines.length > 0) onEvent(JSON.parse(lines.map((line) => line.slice('data:'.length).trimStart()).join('\n')))
    }
  }
}

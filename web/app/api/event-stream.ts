import { toApiError, toNetworkError } from './api-error.ts'
import { resumeSession } from './questions.ts'
import { storedToken } from './token.ts'

interface Following {
  signal: AbortSignal
  /** What the link of a visitor ends with, for a stream that is opened by it. */
  linkToken?: string | undefined
  /** Called once the store has accepted the stream. */
  onOpen(): void
  onEvent(event: unknown): void
}

/**
 * Follows an event stream of the store as the customer who is logged in; EventSource can't send a token. Resolves when
 * the stream ends, and rejects with an ApiError when it can't be opened or breaks off.
 */
export async function followEvents(path: `/${string}`, following: Following): Promise<void> {
  const { signal, linkToken, onOpen, onEvent } = following
  const token = storedToken()
  const sentAt = performance.now()
  const answer = await fetch(`/api${path}`, {
    headers: {
      accept: 'text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(linkToken !== undefined && { 'content-type': 'application/json' }),
    },
    ...(linkToken !== undefined && { method: 'POST', body: JSON.stringify({ token: linkToken }) }),
    signal,
  }).catch((error: unknown) => {
    throw toNetworkError(error)
  })
  if (answer.status === 401 && (await resumeSession(token, sentAt))) return followEvents(path, following)
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

/** Parses a stream that arrives in pieces of any size, and passes on the data of each event. */
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

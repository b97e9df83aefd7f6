import { afterEach, expect, test, vi } from 'vitest'
import { lastingStorage } from '../ui/browser-storage.ts'
import { eventReader, followEvents } from './event-stream.ts'
import { loginAgainEvent, type PageQuestion } from './questions.ts'
import { storedToken, tokenKey } from './token.ts'

afterEach(() => vi.unstubAllGlobals())

const stream =
  ': hello\n\ndata: {"id":"A","status":"pending"}\n\nevent: order\r\ndata: {"id":\ndata: "B"}\r\n\r\n: still here\n\n'

test.each([1, 2, 7, stream.length])('events come whole in pieces of %i characters', (size) => {
  const heard: unknown[] = []
  const read = eventReader((event) => heard.push(event))
  for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size))
  expect(heard).toEqual([{ id: 'A', status: 'pending' }, { id: 'B' }])
})

test('half an event waits for its other half', () => {
  const heard: unknown[] = []
  const read = eventReader((event) => heard.push(event))
  read('data: {"id":"A"}\n')
  expect(heard).toEqual([])
  read('\n')
  expect(heard).toEqual([{ id: 'A' }])
})

/** Follows a stream that is refused to a session that has ended, on a page where the password is given or not. */
async function followEnded(isLoggedInAgain: boolean) {
  const sent: (string | null)[] = []
  let opened = 0
  const page = new EventTarget()
  page.addEventListener(loginAgainEvent, (event) => {
    event.preventDefault()
    if (isLoggedInAgain) lastingStorage.setItem(tokenKey, 'after')
    ;(event as CustomEvent<PageQuestion>).detail.answer(isLoggedInAgain)
  })
  vi.stubGlobal('window', page)
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers.authorization ?? null)
    return new Response(stream, { status: headers.authorization === 'Bearer after' ? 200 : 401 })
  })
  lastingStorage.setItem(tokenKey, 'before')
  const following = followEvents('/orders/events', {
    signal: new AbortController().signal,
    onOpen: () => opened++,
    onEvent: () => {},
  })
  await following.catch((error: { status: number }) => expect(error.status).toBe(401))
  return { sent, opened, token: storedToken() }
}

test('a stream of a session that has ended has the page ask for the password, and goes on after it', async () => {
  const ended = { sent: ['Bearer before', 'Bearer after'], opened: 1, token: 'after' }
  expect(await followEnded(true)).toEqual(ended)
})

test('where the password is not given the session is over, and the stream with it', async () => {
  expect(await followEnded(false)).toEqual({ sent: ['Bearer before'], opened: 0, token: null })
})

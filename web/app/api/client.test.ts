import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** Reads that go on answering, and the first reads of a page that is rendered on the server. */
const others = ['./event-stream.ts', '../server-context.ts']

test('every call goes out through the one caller, which asks for the second factor and sends again', () => {
  const waysOut = /(?<![.\w])fetch\(|XMLHttpRequest|sendBeacon|new WebSocket|new EventSource|axios/
  const calling = Object.keys(sources).filter((file) => waysOut.test(sources[file] ?? ''))
  expect(calling.toSorted()).toEqual(['./client.ts', ...others].toSorted())
})

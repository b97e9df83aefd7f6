import * as LIMITS from '@olmos/contract/limits'
import { expect, test } from 'vitest'
import { toParts } from './read-lines.ts'

async function read(text: Blob, lines?: number): Promise<string[][]> {
  const parts: string[][] = []
  for await (const part of toParts(text, lines)) parts.push(part)
  return parts
}

/** Comes in pieces of the size, as a file does in pieces of its own. */
const inPieces = (text: string, size: number): Blob => {
  const bytes = new TextEncoder().encode(text)
  const stream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
  return { stream } as Blob
}

test.each([
  ['unix', 'a\nb\n', ['a', 'b']],
  ['windows', 'a\r\nb\r\n', ['a', 'b']],
  ['old mac', 'a\rb\r', ['a', 'b']],
  ['no end of the last line', 'a\nb', ['a', 'b']],
  ['a byte order mark', '\uFEFFa\nb', ['a', 'b']],
  ['empty lines, which count', 'a\n\n\r\nb\n', ['a', '', '', 'b']],
  ['signs of more than one byte', 'код-🦊\nб', ['код-🦊', 'б']],
])('%s line ends are read the same however the text comes', async (_name, text, lines) => {
  for (const size of [1, 2, 3, 1_000]) expect((await read(inPieces(text, size))).flat()).toEqual(lines)
})

test('nothing has no lines', async () => {
  expect(await read(new Blob(['']))).toEqual([])
})

test('a part has as many lines, and as much text, as one call carries', async () => {
  expect(await read(new Blob(['a\nb\nc\nd\ne']), 2)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  const long = 'x'.repeat(LIMITS.codeLengthMax)
  const parts = await read(new Blob([`${long}\n`.repeat(1_200)]))
  expect(parts.map((part) => part.length)).toEqual([500, 500, 200])
})

test.each([
  ['a line too many', new Blob(['a\n'.repeat(LIMITS.importLinesMax + 1)]), 'too_many_lines'],
  ['a million lines', new Blob(['a\n'.repeat(1_000_000)]), 'too_many_lines'],
  ['what is no UTF-8', new Blob([new Uint8Array([0x41, 0xff, 0xfe, 0x0a])]), 'not_text'],
  ['a picture, or a line without an end', new Blob(['x'.repeat(100_000)]), 'not_text'],
])('%s is refused', async (_name, text, reason) => {
  await expect(read(text)).rejects.toMatchObject({ reason })
})

test('as many lines as may be are read', async () => {
  expect((await read(new Blob(['a\n'.repeat(LIMITS.importLinesMax)]))).flat()).toHaveLength(LIMITS.importLinesMax)
})

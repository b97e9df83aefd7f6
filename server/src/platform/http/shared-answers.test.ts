import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createSharedAnswers } from './shared-answers.ts'

type Shared = Awaited<ReturnType<ReturnType<typeof createSharedAnswers>>>
const toText = async ({ pack }: Shared) => (await pack('identity')).toString()

test('who asks for the same at once shares one answer, and who asks later gets a new one', async () => {
  const share = createSharedAnswers()
  let reads = 0
  const read = async () => String(++reads)
  const first = await Promise.all([share('a', read), share('a', read), share('b', read)])
  expect(await Promise.all(first.map(toText))).toEqual(['1', '1', '2'])
  expect(await toText(await share('a', read))).toBe('3')
})

test('a failed read fails for all who wait for it, and for nobody after', async () => {
  const share = createSharedAnswers()
  const failing = () => Promise.reject(new Error('no database'))
  const waiting = await Promise.allSettled([share('a', failing), share('a', failing)])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await toText(await share('a', async () => 'fine'))).toBe('fine')
})

test('equal answers have equal tags, others have not', async () => {
  const share = createSharedAnswers()
  const toTag = async (text: string) => (await share('a', async () => text)).etag
  expect(await toTag('one')).toBe(await toTag('one'))
  expect(await toTag('one')).not.toBe(await toTag('two'))
})

test('an equal text is compressed once, another one again', async () => {
  const share = createSharedAnswers()
  const [one, other] = ['one'.repeat(1_000), 'two'.repeat(1_000)]
  const toBytes = async (text: string) => (await share('a', async () => text)).pack('br')
  const first = await toBytes(one)
  expect(brotliDecompressSync(first).toString()).toBe(one)
  expect(await toBytes(one)).toBe(first)
  expect(brotliDecompressSync(await toBytes(other)).toString()).toBe(other)
})

test('a short answer is not compressed', async () => {
  const share = createSharedAnswers()
  expect((await share('a', async () => 'short')).encodingFor('br')).toBe('identity')
  expect((await share('b', async () => 'long'.repeat(500))).encodingFor('br')).toBe('br')
})

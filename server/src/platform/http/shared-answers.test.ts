import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SERVER_LIMITS } from '../../limits.ts'
import { createSharedAnswers } from './shared-answers.ts'

const nobodyTells = () => undefined
const { share } = createSharedAnswers(nobodyTells)
const toText = (answer: Awaited<ReturnType<typeof share>> | undefined) =>
  answer && Buffer.from(answer.form('identity') as string, 'latin1').toString()

test('who asks for the same at once shares one answer, and who asks later gets a new one', async () => {
  let reads = 0
  const read = async () => String(++reads)
  const first = await Promise.all([share('a', read), share('a', read), share('b', read)])
  expect(first.map(toText)).toEqual(['1', '1', '2'])
  expect(toText(await share('a', read))).toBe('3')
})

test('a failed read fails for all who wait for it, and for nobody after', async () => {
  const failing = () => Promise.reject(new Error('no database'))
  const waiting = await Promise.allSettled([share('a', failing), share('a', failing)])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(toText(await share('a', async () => 'fine'))).toBe('fine')
})

test('equal answers have equal tags, others have not', async () => {
  const toTag = async (text: string) => (await share('a', async () => text)).etag
  expect(await toTag('one')).toBe(await toTag('one'))
  expect(await toTag('one')).not.toBe(await toTag('two'))
})

test('an equal text is compressed once, another one again', async () => {
  const [one, other] = ['one'.repeat(1_000), 'two'.repeat(1_000)]
  const unpack = async (form: string | Promise<string>) =>
    brotliDecompressSync(Buffer.from(await form, 'latin1')).toString()
  const pack = async (text: string) => (await share('a', async () => text)).form('br')
  const answer = await share('a', async () => one)
  expect(await unpack(answer.form('br'))).toBe(one)
  expect(answer.form('br')).toBeTypeOf('string')
  expect(await share('a', async () => one)).toBe(answer)
  expect(await unpack(await pack(other))).toBe(other)
})

test('a short answer is not compressed', async () => {
  expect((await share('a', async () => 'short')).encodingFor('br')).toBe('identity')
  expect((await share('b', async () => 'long'.repeat(500))).encodingFor('br')).toBe('br')
})

/** Answers of a node that hears of changes, and a clock that stands still. */
function keepAnswers() {
  const state = { version: 1 as number | undefined, now: 0 }
  const answers = createSharedAnswers(
    () => state.version,
    () => state.now,
  )
  return { state, ...answers, read: (text: string) => answers.share('a', async () => text) }
}

test('an answer is kept for a moment while nothing changes', async () => {
  const { state, kept, read } = keepAnswers()
  expect(kept('a')).toBeUndefined()
  const answer = await read('one')
  expect(kept('a')).toBe(answer)
  expect(kept('b')).toBeUndefined()
  state.now = SERVER_LIMITS.answerKeptMs - 1
  expect(kept('a')).toBe(answer)
  state.now++
  expect(kept('a')).toBeUndefined()
  expect(await read('one')).toBe(answer)
  expect(kept('a')).toBe(answer)
})

test('a change ends what was read before it, and what is still being read', async () => {
  const { state, share, kept, read } = keepAnswers()
  await read('one')
  state.version = 2
  expect(kept('a')).toBeUndefined()
  const late = Promise.withResolvers<string>()
  const before = share('a', () => late.promise)
  state.version = 3
  const after = read('three')
  late.resolve('two')
  expect(toText(await before)).toBe('two')
  expect(toText(await after)).toBe('three')
  expect(toText(kept('a'))).not.toBe('two')
  expect(toText(await read('three'))).toBe('three')
  expect(toText(kept('a'))).toBe('three')
})

test('nothing is kept while changes may go unheard, nor from that time', async () => {
  const { state, kept, read } = keepAnswers()
  await read('one')
  state.version = undefined
  expect(kept('a')).toBeUndefined()
  await read('two')
  expect(kept('a')).toBeUndefined()
  state.version = 2
  expect(kept('a')).toBeUndefined()
  await read('three')
  expect(toText(kept('a'))).toBe('three')
})

test('the oldest answers are forgotten first', async () => {
  const { kept, share, read } = keepAnswers()
  await read('one')
  for (let n = 1; n < SERVER_LIMITS.answersKept; n++) await share(`other ${n}`, async () => 'text')
  expect(toText(kept('a'))).toBe('one')
  await share('one more', async () => 'text')
  expect(kept('a')).toBeUndefined()
  expect(toText(kept('one more'))).toBe('text')
})

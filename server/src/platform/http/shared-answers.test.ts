import { expect, test } from 'vitest'
import { createSharedAnswers } from './shared-answers.ts'

test('who asks for the same at once shares one answer, and who asks later gets a new one', async () => {
  const share = createSharedAnswers()
  let reads = 0
  const read = async () => String(++reads)
  const first = await Promise.all([share('a', read), share('a', read), share('b', read)])
  expect(first.map(({ body }) => body)).toEqual(['1', '1', '2'])
  expect((await share('a', read)).body).toBe('3')
})

test('a failed read fails for all who wait for it, and for nobody after', async () => {
  const share = createSharedAnswers()
  const failing = () => Promise.reject(new Error('no database'))
  const waiting = await Promise.allSettled([share('a', failing), share('a', failing)])
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await share('a', async () => 'fine')).body).toBe('fine')
})

test('equal answers have equal tags, others have not', async () => {
  const share = createSharedAnswers()
  const toTag = async (text: string) => (await share('a', async () => text)).etag
  expect(await toTag('one')).toBe(await toTag('one'))
  expect(await toTag('one')).not.toBe(await toTag('two'))
})

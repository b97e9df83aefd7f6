import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTurns } from './rate-limit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const workMs = 30
const work = () => new Promise<void>((done) => void setTimeout(done, workMs))

test('after work its place stays empty for as long as was agreed, and whoever asked has the answer before', async () => {
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 100, refusal: 'too many', restAfterMs: (ms) => ms * 3 })
  let done = 0
  for (let n = 0; n < 100; n++) void inTurn(work).then(() => done++)
  await vi.advanceTimersByTimeAsync(workMs)
  expect(done).toBe(1)
  // A quarter of the time is spent on work, however many wait.
  await vi.advanceTimersByTimeAsync(workMs * 4 * 10)
  expect(done).toBe(11)
})

test('work that fails rests as well, and nobody rests where nothing was agreed', async () => {
  const resting = createTurns({ atOnce: 1, waitingAtMost: 9, refusal: 'too many', restAfterMs: (ms) => ms * 3 })
  const failing = () => work().then(() => Promise.reject(new Error('broken')))
  const failed = resting(failing).catch((error: Error) => error.message)
  let isNextDone = false
  const next = resting(work).then(() => (isNextDone = true))
  await vi.advanceTimersByTimeAsync(workMs * 4)
  expect([await failed, isNextDone]).toEqual(['broken', false])
  await vi.advanceTimersByTimeAsync(workMs)
  await next

  const busy = createTurns({ atOnce: 1, waitingAtMost: 9, refusal: 'too many' })
  let done = 0
  for (let n = 0; n < 5; n++) void busy(work).then(() => done++)
  await vi.advanceTimersByTimeAsync(workMs * 5)
  expect(done).toBe(5)
})

test('who waited too long for a turn is refused, takes no turn any more, and leaves the place in the queue to others', async () => {
  const inTurn = createTurns({ atOnce: 1, waitingAtMost: 1, waitAtMostMs: 100, refusal: 'too many' })
  const long = inTurn(() => new Promise<void>((done) => void setTimeout(done, 150)))
  const begun: string[] = []
  const waiting = inTurn(async () => void begun.push('late')).catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(110)
  expect(await waiting).toBe('too many')
  const next = inTurn(async () => void begun.push('in time'))
  await vi.advanceTimersByTimeAsync(50)
  await Promise.all([long, next])
  expect(begun).toEqual(['in time'])
})

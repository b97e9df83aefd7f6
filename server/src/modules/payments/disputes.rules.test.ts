import { describe, expect, test } from 'vitest'
import { mergeDispute, transfersMissing } from './disputes.ts'

type DisputeState = Parameters<typeof mergeDispute>[0]

const at = (second: number) => new Date(second * 1000)
const state = (status: DisputeState['status'], funds: DisputeState['funds'], second: number): DisputeState => ({
  status,
  funds,
  at: at(second),
})

/** Yields every order in which a provider's events may arrive. */
function* toOrders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield []
  for (const [index, first] of all.entries()) {
    for (const rest of toOrders(all.filter((_, other) => other !== index))) yield [first, ...rest]
  }
}

/** Lists every transfer the ledger makes for these events. */
function bookAll(words: readonly DisputeState[]) {
  const [first, ...rest] = words
  if (!first) throw new Error('no words')
  let known = first
  const made: string[] = [...transfersMissing(known, 0)]
  for (const reported of rest) {
    known = mergeDispute(known, reported)
    made.push(...transfersMissing(known, made.length))
  }
  return { status: known.status, isGone: made.length % 2 === 1, count: made.length, made }
}

describe('in whatever order and however often its words come, a dispute ends the same and is booked once', () => {
  const lives = {
    won: {
      words: [
        state('open', 'untouched', 1),
        state('open', 'withdrawn', 2),
        state('won', 'withdrawn', 3),
        state('won', 'reinstated', 3),
      ],
      end: { status: 'won', count: 2 },
    },
    lost: {
      words: [state('open', 'untouched', 1), state('open', 'withdrawn', 1), state('lost', 'withdrawn', 3)],
      end: { status: 'lost', count: 1 },
    },
    'an inquiry that became a dispute': {
      words: [state('inquiry', 'untouched', 1), state('open', 'withdrawn', 2), state('lost', 'untouched', 3)],
      end: { status: 'lost', count: 1 },
    },
    'an inquiry that came to nothing': {
      words: [state('inquiry', 'untouched', 1), state('inquiry', 'untouched', 2), state('closed', 'untouched', 3)],
      end: { status: 'closed', count: 0 },
    },
  } as const
  test.each(Object.entries(lives))('%s', (_name, { words, end }) => {
    for (const order of toOrders([...words, words[0], words[words.length - 1] as DisputeState])) {
      const { status, count } = bookAll(order)
      expect([order, { status, count }]).toEqual([order, end])
    }
  })
})

test('one that was lost and is won by an appeal gives the money back, and one lost again takes it again', () => {
  const words = [
    state('open', 'withdrawn', 1),
    state('lost', 'withdrawn', 2),
    state('open', 'withdrawn', 3),
    state('won', 'reinstated', 4),
    state('lost', 'withdrawn', 5),
  ]
  expect(bookAll(words).made).toEqual(['chargeback', 'chargeback_reversal', 'chargeback'])
})

test.each([
  ['inquiry', 'untouched', 0, []],
  ['open', 'untouched', 0, []],
  ['open', 'withdrawn', 0, ['chargeback']],
  ['open', 'reinstated', 0, ['chargeback', 'chargeback_reversal']],
  ['lost', 'untouched', 0, ['chargeback']],
  ['won', 'untouched', 0, []],
  ['won', 'withdrawn', 0, ['chargeback', 'chargeback_reversal']],
  ['won', 'untouched', 1, ['chargeback_reversal']],
  ['closed', 'withdrawn', 1, ['chargeback_reversal']],
  ['lost', 'withdrawn', 1, []],
  ['won', 'reinstated', 2, []],
] as const)('%s with its money %s, after %i transfers: %j', (status, funds, made, missing) => {
  expect(transfersMissing({ status, funds }, made)).toEqual(missing)
})

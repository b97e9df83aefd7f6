import { expect, test } from 'vitest'
import { type SendOutcome, toSendVerdict } from './channel.ts'

const failing = (
  fault: Extract<SendOutcome, { fault: unknown }>['fault'],
  retryAfterSeconds?: number,
): SendOutcome => ({
  kind: 'rejected',
  fault,
  retryAfterSeconds,
})
const first = { attempts: 1, ageSeconds: 0, isTest: false }
const hour = 3_600

test.each([
  ['what arrived is sent', { kind: 'done' } as SendOutcome, first, { is: 'sent' }],
  ['a time-out is tried again', failing('timeout'), first, { is: 'retry', afterSeconds: 30 }],
  ['the pause doubles', failing('network'), { ...first, attempts: 4 }, { is: 'retry', afterSeconds: 240 }],
  ['and is an hour at most', failing('broken'), { ...first, attempts: 40 }, { is: 'retry', afterSeconds: hour }],
  ['a longer pause is kept', failing('busy', 70), first, { is: 'retry', afterSeconds: 70 }],
  ['a shorter one is not', failing('busy', 7), first, { is: 'retry', afterSeconds: 30 }],
  ['an owner may mend the account', failing('not_allowed'), first, { is: 'retry', afterSeconds: 30 }],
  ['or set one up', failing('not_set_up'), first, { is: 'retry', afterSeconds: 30 }],
  [
    'after a day it is given up',
    failing('timeout'),
    { ...first, attempts: 30, ageSeconds: 23.5 * hour },
    { is: 'failed', isRecipientGone: false },
  ],
  ['a chat that blocked the bot is gone', failing('blocked'), first, { is: 'failed', isRecipientGone: true }],
  ['a chat that is not there is', failing('no_chat'), first, { is: 'failed', isRecipientGone: true }],
  ['a chat that moved is', failing('chat_moved'), first, { is: 'failed', isRecipientGone: true }],
  ['a mailbox that is not there is', failing('no_mailbox'), first, { is: 'failed', isRecipientGone: true }],
  ['another lasting refusal fails', failing('refused'), first, { is: 'failed', isRecipientGone: false }],
  ['a test is tried once', failing('timeout'), { ...first, isTest: true }, { is: 'failed', isRecipientGone: false }],
])('%s', (_what, outcome, tried, verdict) => {
  expect(toSendVerdict(outcome, tried)).toEqual(verdict)
})

import type { MessageFault } from '@olmos/contract/messages'
import { SERVER_LIMITS } from '../../limits.ts'
import type { SendOutcome } from './channel.ts'

/** The recipient can't be reached until somebody does something about it, so nothing more is sent there. */
const unreachable: readonly MessageFault[] = ['blocked', 'no_chat', 'chat_moved', 'no_mailbox']

export type SendVerdict =
  | { is: 'sent' }
  | { is: 'retry'; afterSeconds: number }
  | { is: 'failed'; isRecipientGone: boolean }

interface Tried {
  /** This attempt included. */
  attempts: number
  /** Since it was queued, or retried by hand. */
  ageSeconds: number
  /** Whether somebody waits for the answer, so that it is tried once. */
  isTest: boolean
}

/** Decides what becomes of a message by the outcome of sending it. */
export function toSendVerdict(outcome: SendOutcome, { attempts, ageSeconds, isTest }: Tried): SendVerdict {
  if (outcome.kind === 'done') return { is: 'sent' }
  const isRecipientGone = unreachable.includes(outcome.fault)
  if (isRecipientGone || isTest || outcome.fault === 'refused') return { is: 'failed', isRecipientGone }
  const afterSeconds = toPause(attempts, outcome.retryAfterSeconds)
  const isInTime = ageSeconds + afterSeconds <= SERVER_LIMITS.messageHours * 3_600
  return isInTime ? { is: 'retry', afterSeconds } : { is: 'failed', isRecipientGone: false }
}

/** A pause that doubles, or a longer one that the channel asks for. */
function toPause(attempts: number, asked = 0): number {
  const { messageRetrySeconds: first, messageRetrySecondsMax: longest } = SERVER_LIMITS
  return Math.min(longest, Math.max(asked, first * 2 ** Math.min(attempts - 1, 16)))
}

import type { MessageChannel, MessageFault } from '@olmos/contract/messages'
import type { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { VendorAdapter } from '../../platform/vendor/adapters.ts'
import type { VendorFetch } from '../../platform/vendor/vendor.ts'

/** A message as it goes out: plain text, nothing of which is markup to anybody. */
export interface Letter {
  /** Names the message for good, so that a mailbox that gets it twice shows it once. */
  id: number
  address: string
  /** The shop's name. */
  from: string
  subject: string
  text: string
}

/**
 * What became of sending. `rejected`: it was certainly not sent. `unknown`: it may have been, so sending it again may show it
 * twice. `words` are the channel's own, with no secret in them.
 */
export type SendOutcome =
  | { kind: 'done' }
  | { kind: 'rejected' | 'unknown'; fault: MessageFault; words?: string; retryAfterSeconds?: number | undefined }

/** Carries messages to people, by an account of the shop. */
export interface Carrier {
  /** Sends a message. It never throws for what the channel answers, and gives up after a while. */
  send(letter: Letter): Promise<SendOutcome>
  /** For a bot that people start by a link. */
  readonly starts?: BotStarts
}

/** That somebody has started the bot by a link: in which chat, and what the link ended with. */
interface BotStart {
  chatId: string
  token: string
}

/** Asks a bot who has started it. Neither call throws for what the channel answers. */
interface BotStarts {
  /** The name by which a link finds the bot; undefined while nobody answers that. */
  findName(): Promise<string | undefined>
  /**
   * Waits so many seconds for somebody to start the bot. `from` is what the last reading answered as `next`: what came
   * before is not given again. Undefined while nobody answers.
   */
  read(from: number | undefined, seconds: number): Promise<{ starts: BotStart[]; next: number | undefined } | undefined>
}

interface ChannelDeps {
  fetchVendor: VendorFetch
  /** For one step of a mail server, and for all of them: a server that only drips would take for ever. */
  timeoutMs: number
  sendTimeoutMs: number
}

/** A channel as it stands in the list of `channels.ts`. */
export type ChannelAdapter<Settings extends z.ZodObject = z.ZodObject> = VendorAdapter<
  Settings,
  ChannelDeps,
  Carrier
> & {
  readonly name: MessageChannel
  /** The settings that say where its secrets are sent. Where one of them changes, the secrets have to be typed again. */
  readonly leading: readonly string[]
}

/** The recipient can't be reached until somebody does something about it, so nothing more is sent there. */
export const unreachable: readonly MessageFault[] = ['blocked', 'no_chat', 'chat_moved', 'no_mailbox']

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

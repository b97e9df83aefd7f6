import type { MessageChannel, MessageFault } from '@olmos/contract/messages'
import type { z } from 'zod'
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
}

export interface ChannelDeps {
  fetchVendor: VendorFetch
  /** For one step of a mail server, and for all of them: a server that only drips would take for ever. */
  timeoutMs: number
  patienceMs: number
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

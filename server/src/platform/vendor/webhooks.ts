import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'

/** What a vendor sends of its own accord, just as it came in. */
export interface Webhook {
  /** The bytes that a signature is of. */
  body: Buffer
  headers: IncomingHttpHeaders
  /** Who sent it, as far as the proxies in front of the store are believed. */
  address: string
  /** When it came, by the store's clock. */
  now: Date
}

/** What the vendor is answered. Most send a webhook again until the status is one of success. */
export interface HttpReply {
  status: number
  body: string
  /** Plain text without it. */
  type?: 'application/json'
  /** The error that kept the store from answering what was asked, for the log: nobody is told it. */
  failure?: unknown
}

/** How an adapter reads a webhook that it does not trust; whoever sent it is told why. */
export interface ForgedWebhook {
  verified: false
  reply: HttpReply
}

/** The answer to a webhook that is not trusted: 400, with the reason in a few words. */
export const forged = (why: string): ForgedWebhook => ({ verified: false, reply: { status: 400, body: why } })

export const accepted: HttpReply = { status: 200, body: 'ok' }

/** Nobody could be asked whether it is so; the vendor sends it again. */
export const repeatWebhook: HttpReply = { status: 503, body: 'could not be confirmed yet' }

/** Parses a body; undefined where it is no JSON. */
export function toJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

export const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** A list of addresses and ranges like 185.71.76.0/27 to look callers up in; none when an entry is neither. */
export function readAddresses(entries: readonly string[]): BlockList | undefined {
  const known = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = toFamily(address)
    const most = family === 'ipv6' ? 128 : 32
    if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits ?? String(most)) || Number(bits ?? most) > most) return undefined
    known.addSubnet(address, Number(bits ?? most), family)
  }
  return known
}

/** Whether a caller's address is one of these; false for what is no address. */
export const isFrom = (known: BlockList, address: string): boolean =>
  isIP(address) !== 0 && known.check(address, toFamily(address))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether a caller knows the secret, or what is made with it. Takes equally long for any text. */
export const isSecret = (secret: string, told: unknown): boolean =>
  typeof told === 'string' && timingSafeEqual(digest(secret), digest(told))

/** The variables of a sandbox. Without a secret one is made at the start, which nobody outside the store knows. */
export const sandboxSettings = z.object({
  SANDBOX_SECRET: z.string().min(16, 'must have 16 characters or more').optional(),
})

const hmac = (secret: string, signed: string): Buffer => createHmac('sha256', secret).update(signed).digest()

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** What proves that the holder of the secret sent this body at this time: `t=<unix>,v1=<hex>`. */
export function signWebhook(secret: string, body: string, at: Date): string {
  const t = toSeconds(at)
  return `t=${t},v1=${hmac(secret, `${t}.${body}`).toString('hex')}`
}

const header = 'sandbox-signature'

interface SandboxSigner {
  /** The webhook that tells this, as if it came over the net. */
  sign(told: object, now: Date): Webhook
  /** Whether the signature is of this body and neither older nor newer than webhooks may be. Takes equally long for any. */
  isSigned(webhook: Webhook): boolean
}

/** Signs what a sandbox tells the store, and checks it on its way in like the webhooks of any vendor. */
export function sandboxSigner({ SANDBOX_SECRET }: z.output<typeof sandboxSettings>): SandboxSigner {
  const secret = SANDBOX_SECRET ?? randomBytes(32).toString('hex')
  return {
    sign(told, now) {
      const body = JSON.stringify(told)
      const headers = { [header]: signWebhook(secret, body, now) }
      return { body: Buffer.from(body), headers, address: '127.0.0.1', now }
    },

    isSigned({ body, headers, now }) {
      const [, t, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(headers[header])) ?? []
      if (t === undefined || hex === undefined) return false
      const isFresh = Math.abs(toSeconds(now) - Number(t)) <= SERVER_LIMITS.webhookToleranceSeconds
      return timingSafeEqual(hmac(secret, `${t}.${body.toString()}`), Buffer.from(hex, 'hex')) && isFresh
    },
  }
}

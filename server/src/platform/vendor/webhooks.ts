import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'

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

const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

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

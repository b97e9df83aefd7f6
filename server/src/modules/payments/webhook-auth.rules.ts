import { createHmac, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { SERVER_LIMITS } from '../../limits.ts'

const hmac = (secret: string, signed: string): Buffer => createHmac('sha256', secret).update(signed).digest()

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

/** Proves that the holder of the secret sent this body at this time: `t=<unix>,v1=<hex>`. */
export function signWebhook(secret: string, body: string, at: Date): string {
  const t = toSeconds(at)
  return `t=${t},v1=${hmac(secret, `${t}.${body}`).toString('hex')}`
}

/** Whether the signature is of this body and not older, or newer, than webhooks may be. It takes constant time. */
export function isSignedWebhook(secret: string, body: string, signature: string, now: Date): boolean {
  const [, t, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (t === undefined || hex === undefined) return false
  const isFresh = Math.abs(toSeconds(now) - Number(t)) <= SERVER_LIMITS.webhookToleranceSeconds
  return timingSafeEqual(hmac(secret, `${t}.${body}`), Buffer.from(hex, 'hex')) && isFresh
}

const toFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Parses addresses and ranges such as 185.71.76.0/27 to look callers up in; undefined when an entry is neither. */
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

export const isFrom = (known: BlockList, address: string): boolean =>
  isIP(address) !== 0 && known.check(address, toFamily(address))

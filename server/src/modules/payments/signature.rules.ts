import { createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS } from '@olmos/contract/limits'

const hmac = (secret: string, signed: string): Buffer => createHmac('sha256', secret).update(signed).digest()

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000)

/** What proves that the holder of the secret sent this body at this time: `t=<unix>,v1=<hex>`. */
export function signNotice(secret: string, body: string, at: Date): string {
  const t = secondsOf(at)
  return `t=${t},v1=${hmac(secret, `${t}.${body}`).toString('hex')}`
}

/** Whether the signature is of this body and not older, or newer, than notices may be. Takes equally long for any. */
export function isSignedNotice(secret: string, body: string, signature: string, now: Date): boolean {
  const [, t, hex] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (t === undefined || hex === undefined) return false
  const isFresh = Math.abs(secondsOf(now) - Number(t)) <= LIMITS.webhookToleranceSeconds
  return timingSafeEqual(hmac(secret, `${t}.${body}`), Buffer.from(hex, 'hex')) && isFresh
}

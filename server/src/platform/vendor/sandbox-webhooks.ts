import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Webhook } from './webhooks.ts'

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

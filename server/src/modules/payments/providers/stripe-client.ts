import type { Stripe } from 'stripe'
import { SERVER_LIMITS } from '../../../limits.ts'
import { readRetryAfter } from '../../../platform/http/headers.ts'
import {
  done,
  type Outcome,
  rejected,
  unknown,
  type VendorFetch,
  vendorWords,
} from '../../../platform/vendor/vendor.ts'
import { toJson } from '../../../platform/vendor/webhooks.ts'
import { chargedSession, type StripeSession } from './stripe.rules.ts'

/** What the parsers were written for. The endpoint of the webhooks is to have the same version. */
const apiVersion = '2026-10-28.endive'

/** Loads Stripe's SDK, thirty megabytes that a shop without Stripe does not need, and has it speak over `fetchVendor`. */
export async function connectStripe(
  { secretKey, baseUrl }: { secretKey: string; baseUrl: string },
  fetchVendor: VendorFetch,
): Promise<Stripe> {
  const { Stripe } = await import('stripe')
  const url = new URL(baseUrl)
  const protocol = url.protocol === 'http:' ? 'http' : 'https'
  return new Stripe(secretKey, {
    apiVersion,
    host: url.hostname,
    port: url.port || (protocol === 'http' ? 80 : 443),
    protocol,
    timeout: SERVER_LIMITS.vendorTimeoutMs,
    // Who repeats a call, and when, is the store's business.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(objectsOnly(fetchVendor)),
  })
}

/** The SDK never settles over an answer that is JSON but no object, and throws where nobody can catch it. */
const objectsOnly =
  (fetchVendor: VendorFetch): VendorFetch =>
  async (url, init) => {
    const response = await fetchVendor(url, init)
    const body = await response.text()
    const told = toJson(Buffer.from(body))
    if (told !== undefined && (typeof told !== 'object' || told === null)) throw new Error('the answer is no object')
    return new Response(body, { status: response.status, headers: response.headers })
  }

/**
 * What a call of the SDK comes to. A 4xx of Stripe is a no, under its own code; too many requests, a key still in use, its
 * own errors and silence are not, and neither is an answer that can't be parsed (docs.stripe.com/api/errors).
 */
export async function toOutcome<T>(call: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return done(await call())
  } catch (error) {
    const { statusCode, code, type, param, headers } = error as Partial<Stripe.errors.StripeError>
    if (statusCode === 401 || statusCode === 403) return rejected('not_allowed')
    const isNo = statusCode !== undefined && statusCode >= 400 && statusCode < 500
    const isToRepeat = statusCode === 409 || statusCode === 429 || type === 'StripeIdempotencyError'
    if (isNo && !isToRepeat) return rejected(toWord(code) ?? toWord(type) ?? 'refused', { parameter: toWord(param) })
    return unknown(toWord(type) ?? 'bad_answer', { retryAfterSeconds: readRetryAfter(headers?.['retry-after']) })
  }
}

const word = vendorWords(128)
const toWord = (told: unknown): string | undefined => word.safeParse(told).data || undefined

/** Stripe repeats an error of its own to every later attempt under the key, so what came of it is looked up. */
export const isToLookUp = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'unknown' && outcome.why !== 'StripeConnectionError'

/** A day of more sessions than these hundreds is not compared, rather than in part. */
const sessionPagesAtMost = 500
/** No session can be paid longer than a day after it was made. */
const sessionLifeSeconds = 24 * 3_600

/** Lists the sessions whose charge was made in the span, its end left out. A session itself does not tell when it was paid. */
export async function listPaidSessions(client: Stripe, from: Date, to: Date): Promise<Outcome<StripeSession[]>> {
  const [since, until] = [from, to].map((time) => Math.ceil(time.getTime() / 1000)) as [number, number]
  const paid: StripeSession[] = []
  let last: string | undefined
  for (let page = 0; page < sessionPagesAtMost; page++) {
    const answer = await toOutcome(async () => {
      const { data, has_more } = await client.checkout.sessions.list({
        created: { gte: since - sessionLifeSeconds, lt: until },
        status: 'complete',
        expand: ['data.payment_intent.latest_charge'],
        limit: 100,
        ...(last && { starting_after: last }),
      })
      return { sessions: chargedSession.array().parse(data), has_more }
    })
    if (answer.kind !== 'done') return answer
    const { sessions, has_more } = answer.value
    paid.push(
      ...sessions.filter(({ payment_status, payment_intent }) => {
        const at = payment_intent?.latest_charge?.created
        return payment_status === 'paid' && at !== undefined && at >= since && at < until
      }),
    )
    last = sessions.at(-1)?.id
    if (has_more !== true || last === undefined) return done(paid)
  }
  return unknown('too_many_payments')
}

import { LIMITS } from '@olmos/contract/limits'
import { z } from 'zod'
import { vendorName, vendorWords } from '../../../platform/vendor/vendor.ts'
import { type Decimal, one, parseDecimal } from '../../rates/rate.rules.ts'
import type { SupplierOrder } from '../supplier.ts'

/** The vendor's pages: reseller.fazercards.com/en/docs, api.fzr.cards/public/docs/openapi.json. */
const name = z.union([vendorName(128), z.int()]).transform(String)
const decimal = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,12}(\.\d{1,8})?$/))

const outcome = {
  status: vendorName(64),
  /** Untyped in the vendor's pages: texts, or objects around one. */
  cards: z.array(z.unknown()).nullish(),
  failReason: vendorWords(500).nullish(),
}
const order = z.object({ id: name, ...outcome })

/** The documented answer to an order, and the flat one that was seen, with its status or without; both stand for the same. */
export const orderAnswer = z.union([
  z.object({ ok: z.literal(true), order }),
  z
    .object({ ok: z.literal(true), order_id: name, ...outcome, status: outcome.status.nullish() })
    .transform(({ ok, order_id: id, status, ...rest }) => ({
      ok,
      order: { id, status: status ?? 'created', ...rest },
    })),
])

/** What is sold of a category, each with its price in USD. Cards are named by `card_id`, top-ups by `offer_id`. */
export const offersAnswer = z.object({
  ok: z.literal(true),
  offers: z.array(z.object({ offer_id: name.nullish(), card_id: name.nullish(), price_usd: z.unknown() })),
})
export const loginAnswer = z.object({ ok: z.literal(true), can_refill: z.boolean() })

export const playerAnswer = z.object({
  ok: z.literal(true),
  valid: z.boolean(),
  player_name: vendorWords(200).nullish(),
})
export const balanceAnswer = z.object({ ok: z.literal(true), balance: decimal, currency: vendorName(8) })
export const ratesAnswer = z.object({
  ok: z.literal(true),
  base: z.literal('USD'),
  rates: z.object({ RUB: decimal, KZT: decimal }),
})

/** A no, which may come with any status. */
export const refusal = z.object({
  ok: z.literal(false),
  error: vendorWords(500).optional(),
  code: vendorWords(100).optional(),
})

export const notice = z.object({ event_id: vendorName(128), data: z.object({ order_id: name }) })

const statuses: ReadonlyMap<string, SupplierOrder['status']> = new Map(
  Object.entries({
    created: 'pending',
    processing: 'pending',
    pending: 'pending',
    completed: 'done',
    failed: 'failed',
    refunded: 'failed',
    refund: 'failed',
  } as const),
)

/** A code that was changed on its way is no code. */
const code = vendorName(LIMITS.codeLengthMax)
const card = z.union([
  code,
  z.object({ code }).transform((one) => one.code),
  z.object({ pin: code }).transform((one) => one.pin),
])

/** None for a status that nobody has heard of. A code order can be complete for a moment before its codes are there. */
export function orderOf(
  { id, status, cards, failReason }: z.infer<typeof order>,
  { wantsCodes }: { wantsCodes: boolean },
): SupplierOrder | undefined {
  const known = statuses.get(status)
  if (known === undefined) return undefined
  const codes = (cards ?? []).flatMap((one) => card.safeParse(one).data ?? [])
  if (known === 'done' && wantsCodes) {
    return codes.length > 0
      ? { supplierOrderId: id, status: 'done', codes }
      : { supplierOrderId: id, status: 'pending' }
  }
  return { supplierOrderId: id, status: known, ...(known === 'failed' && { why: failReason || status }) }
}

/** '0.8800' or 0.88 of a USD; undefined for what is no price. */
export function priceOf(told: unknown): Decimal | undefined {
  const text = decimal.safeParse(told).data
  return text === undefined ? undefined : parseDecimal(text)
}

/** What so much Steam balance costs at a rate of units for one USD, rounded up. */
export const steamCost = (minorUnits: number, rate: Decimal): Decimal =>
  (BigInt(minorUnits) * one * one + 100n * rate - 1n) / (100n * rate)

/** '100.4949' to 10049: hundredths, rounded down, without a float on the way. */
export function hundredthsOf(text: string): number {
  const [whole = '0', part = ''] = text.split('.')
  return Number(whole + part.padEnd(2, '0').slice(0, 2))
}

/** An offer is named by its category and its own name there: 'pubg_mobile_auto/60_uc'. */
export function partsOf(item: string | null): { category: string; offer: string } | undefined {
  const [category = '', offer = '', ...more] = item?.split('/') ?? []
  return category && offer && more.length === 0 ? { category, offer } : undefined
}

import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { bigId, date, emptyBody, orderId, time, toData } from './fields.ts'
import { shownAmountSchema } from './money.ts'
import { dateRange } from './summary.ts'

/** `cabinet_only`: the provider can't be asked, so its cabinet has to be compared by eye. */
const reconciliationStates = ['equal', 'different', 'not_compared', 'cabinet_only'] as const
export type ReconciliationState = (typeof reconciliationStates)[number]

/** How a provider was asked: for its list, for each payment that the store knows, or not at all. */
const reconciliationWays = ['list', 'each', 'nothing'] as const
const reconciliationOrigins = ['admin', 'command', 'job'] as const
export type ReconciliationOrigin = (typeof reconciliationOrigins)[number]

/** How a provider's books and the store's may differ. Each has a text in the admin area, or the build breaks. */
const differenceKinds = [
  /** Paid at the provider, and the store knows nothing of it. */
  'only_there',
  /** Paid at the provider, and canceled in the store. */
  'canceled_here',
  /** Paid at the provider, while the store still waits for it. */
  'unpaid_here',
  /** Paid in the store's books, and not at the provider. */
  'only_here',
  /** Paid in both, but another amount or currency. */
  'amount',
  'refund_only_there',
  'refund_only_here',
  'refund_amount',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

const money = z.object({
  amount: shownAmountSchema,
  /** In capitals, as the provider has it. */
  currency: z.string(),
})

const paymentDifference = z.object({
  kind: z.enum(differenceKinds),
  /** The provider's id of the payment; null where the provider asks and has none. */
  provider_payment_id: z.string().nullable(),
  /** The provider's id of the refund that differs. */
  provider_refund_id: z.string().nullable(),
  /** The store's payment and its order; null where it knows none. */
  payment_id: bigId.nullable(),
  order_id: orderId.nullable(),
  /** What the provider has; null for nothing. */
  there: money.nullable(),
  /** What the books have; null for nothing. */
  here: money.nullable(),
})
export type PaymentDifference = z.infer<typeof paymentDifference>

const sum = z.object({ count: z.int(), amount: shownAmountSchema })

const reconciledProvider = z.object({
  provider: z.string(),
  state: z.enum(reconciliationStates),
  /** Why it, or its refunds, could not be compared; null when they were. */
  why: z.string().nullable(),
  asked: z.enum(reconciliationWays),
  /** Whether the day was over by then. */
  is_over: z.boolean(),
  /** What was paid that day, by currency of the charge. `there` is null where the provider told no sums. */
  totals: z.array(z.object({ currency: z.string(), there: sum.nullable(), here: sum })),
  /** The first of them; `difference_count` counts all. */
  differences: z.array(paymentDifference),
  difference_count: z.int(),
  made_at: time,
  /** The admin's nickname; null for a command or a job. */
  made_by: z.string().nullable(),
  origin: z.enum(reconciliationOrigins),
})
export type ReconciledProvider = z.infer<typeof reconciledProvider>

const reconciledDay = z.object({
  /** In the time zone of the shop. */
  day: z.iso.date(),
  timezone: z.string(),
  /** Empty for a day that nobody has compared. */
  providers: z.array(reconciledProvider),
})
export type ReconciledDay = z.infer<typeof reconciledDay>

const listedDay = z.object({
  day: z.iso.date(),
  providers: z.array(reconciledProvider.pick({ provider: true, state: true, is_over: true, difference_count: true })),
})
export type ListedDay = z.infer<typeof listedDay>

const byDay = z.object({ day: date })

export const reconciliationApi = {
  list: adminEndpoint('GET /admin/reconciliation', {
    operationId: 'listReconciledDays',
    permission: 'payments.read',
    summary: 'Days, the latest first, and whether each provider had what the books have; the last 30 by default',
    query: dateRange,
    answer: toData(z.object({ timezone: z.string(), days: z.array(listedDay) })),
  }),
  read: adminEndpoint('GET /admin/reconciliation/:day', {
    operationId: 'readReconciledDay',
    permission: 'payments.read',
    summary: 'What came of comparing a day with each provider, and what differed',
    params: byDay,
    answer: toData(reconciledDay),
  }),
  run: adminEndpoint('POST /admin/reconciliation/:day', {
    operationId: 'reconcilePayments',
    permission: 'payments.write',
    summary:
      'Asks each provider what it has for a day and compares it with the books; takes a while with many payments',
    params: byDay,
    body: emptyBody,
    answer: toData(reconciledDay),
  }),
}

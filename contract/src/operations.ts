import { z } from 'zod'
import { adminEndpoint, endpoint } from './endpoint.ts'
import { emptyBody, id, orderId, time } from './fields.ts'
import { currencies, shownAmountSchema } from './money.ts'

/** What is always true of the store. Each has a text in the admin area's `ledger.rule`, or the build breaks. */
const invariantNames = [
  'two-ends',
  'zero-sum',
  'balance-is-its-transfers',
  'never-negative',
  'used-is-sold',
  'delivered-has-codes',
  'delivered-once-or-refunded',
  'codes-differ',
  'one-order-a-cart',
  'total-is-its-items',
  'price-in-force',
  'paid-once-exactly',
  'unpaid-holds-nothing',
  'payment-has-its-transfer',
  'refunds-are-covered',
  'nothing-is-stuck',
  'nothing-is-sent-blindly',
  'states-follow-the-table',
  'audit-chain',
  'money-is-audited',
  'accepted-at-a-price-in-force',
  'delivered-is-what-was-bought',
  'recall-holds',
  'not-under-cost',
  'cost-is-what-was-paid',
  'fillings-fill-wallets',
  'coupons-are-counted',
  'audit-seals',
  'parts-are-reserved',
  'closed-days',
] as const
export type InvariantName = (typeof invariantNames)[number]

const check = z.enum(['ok', 'down'])

const currency = z.enum(currencies)

const ledgerProof = z.object({
  /** When all of this was checked; null before the first check, when nothing is known. */
  proved_at: time.nullable(),
  /** Whether every sum was zero and no transfer or invariant was broken. */
  is_sound: z.boolean().nullable(),
  /** Over all accounts; anything but zero means that money was made or lost. */
  sums: z.array(z.object({ currency, sum: shownAmountSchema })),
  /** The balances of the shop's own accounts, and of all wallets together. */
  accounts: z.array(z.object({ kind: z.string(), currency, balance: shownAmountSchema })),
  /** The first one after which a wallet's history does not add up. */
  first_broken_transfer: z
    .object({
      id,
      kind: z.string(),
      currency,
      amount: shownAmountSchema,
      order_id: orderId.nullable(),
      created_at: time,
      /** The wallet's balance afterwards, as the transfer recorded it. */
      balance_after: shownAmountSchema.nullable(),
      balance_expected: shownAmountSchema,
    })
    .nullable(),
  invariants: z.array(
    z.object({
      number: z.int(),
      name: z.enum(invariantNames),
      sentence: z.string(),
      /** How many things violate it; null until the first hourly check. */
      offenders: z.int().nullable(),
      sample: z.array(z.string()),
      checked_at: time.nullable(),
    }),
  ),
})
export type LedgerProof = z.infer<typeof ledgerProof>

export const operationsApi = {
  health: endpoint('GET /health', {
    operationId: 'readHealth',
    access: 'visitor',
    tag: 'machines',
    summary: 'The process lives, and which version and build of Olmos it is',
    answer: z.object({
      status: z.literal('ok'),
      version: z.string(),
      /** The commit it was made of, in twelve digits; null where none was written down, as in a checkout. */
      build: z.string().nullable(),
    }),
  }),
  ready: endpoint('GET /ready', {
    operationId: 'readReadiness',
    refusals: ['STARTING'],
    access: 'visitor',
    tag: 'machines',
    summary: 'Database, migrations and queue are there; 503 while they are not, or nothing can be written',
    answer: z.object({
      status: z.literal('ready'),
      database: check,
      /** `waiting`: what is written is not confirmed, as when a synchronous standby is gone. Nothing can be sold then. */
      writes: z.enum(['ok', 'waiting']),
      migrations: check,
      queue: check,
    }),
  }),
  ledgerProof: adminEndpoint('GET /admin/ledger/proof', {
    operationId: 'readLedgerProof',
    permission: 'payments.read',
    summary:
      'How the ledger added up and the invariants held when they were last looked at, which is every hour for what changed since the last closed day and every night for everything',
    answer: ledgerProof,
  }),
  proveLedger: adminEndpoint('POST /admin/ledger/proof', {
    operationId: 'proveLedger',
    permission: 'payments.write',
    summary: 'Adds the ledger up and looks at the invariants now, which takes a while with many orders',
    body: emptyBody,
    answer: ledgerProof,
  }),
}

import { Failure } from '@olmos/contract/failure'
import { currencies } from '@olmos/contract/money'
import {
  type SandboxAction,
  type SandboxPayAction,
  type SandboxStatus,
  sandboxPayActions,
} from '@olmos/contract/payments'
import { z } from 'zod'
import { SERVER_LIMITS } from '../../../limits.ts'
import type { Tx } from '../../../platform/database/queries.ts'
import {
  accepted,
  forged,
  sandboxSettings,
  sandboxSigner,
  toJson,
  type Webhook,
} from '../../../platform/vendor/adapters.ts'
import { done, isUuid, rejected, unknown, vendorName } from '../../../platform/vendor/vendor.ts'
import type {
  NotifyingProvider,
  PaymentProvider,
  PaymentSnapshot,
  ProviderAdapter,
  ProviderDeps,
  RefundingProvider,
} from '../provider.ts'
import {
  chargeSandboxAgain,
  decideSandboxPayment,
  findRefusal,
  findSandboxPayment,
  isDisputeAction,
  listPaidAtSandbox,
  lockSandboxPayment,
  openSandboxPayment,
  playDispute,
  refuseReceipt,
  type SandboxPaymentRow,
  sandboxDispute,
  sandboxRefunds,
  sandboxReports,
} from './sandbox-bank.ts'

/** A provider whose bank is whoever looks at its pay page. */
export type Sandbox = NotifyingProvider &
  RefundingProvider & {
    /** Reads a payment for its pay page. Refuses with NOT_FOUND. */
    find(id: string): Promise<SandboxPaymentRow>
    /**
     * Does as told and answers the webhooks that a real provider would send of it. Refuses with STATE_CONFLICT what can't be
     * done any more, or not yet.
     */
    act(id: string, action: SandboxAction, now: Date): Promise<{ webhooks: Webhook[] }>
  }

const refundWebhook = z.object({ id: vendorName(128), refund: z.object({ id: z.uuid() }) })
const paymentWebhook = z.object({
  id: vendorName(128),
  payment: z.object({
    id: z.uuid(),
    key: vendorName(128),
    status: z.enum(['pending', 'succeeded', 'canceled']),
    amount: z.int().min(0),
    currency: vendorName(8),
  }),
})

const isPayAction = (action: SandboxAction): action is SandboxPayAction =>
  sandboxPayActions.some((known) => known === action)

const statusAfter: Record<SandboxPayAction, SandboxStatus> = {
  pay: 'succeeded',
  pay_twice: 'succeeded',
  pay_late: 'succeeded',
  decline: 'canceled',
  delay: 'processing',
} as const satisfies Partial<Record<SandboxAction, SandboxStatus>>

/** Takes no real money. Its books are in the database, so that it can be asked like any other. */
export const sandboxProvider = {
  name: 'sandbox',
  settings: sandboxSettings,
  unreal: 'takes no real money',
  webhooks: [],
  create: createSandbox,
} satisfies ProviderAdapter<typeof sandboxSettings>

/** Whether this is the sandbox, which can do more than any other. */
export const isSandboxProvider = (provider: PaymentProvider): provider is Sandbox =>
  provider.name === sandboxProvider.name

function createSandbox(
  settings: z.output<typeof sandboxSettings>,
  { database, publicUrl }: Pick<ProviderDeps, 'database' | 'publicUrl'>,
): Sandbox {
  const find = async (id: string) => {
    const payment = isUuid(id) ? await findSandboxPayment(database, id) : undefined
    if (!payment) throw new Failure('NOT_FOUND')
    return payment
  }

  const refunds = sandboxRefunds(database)
  const { sign, isSigned } = sandboxSigner(settings)

  return {
    name: 'sandbox',
    methods: [
      { name: 'sandbox', mark: 'sandbox' },
      { name: 'sandbox_soums', mark: 'sandbox_soums', charges: ['UZS'] },
    ],
    charges: currencies,
    needsContact: 'email',
    find,
    async tryAccount() {
      return (await findRefusal(database)) ?? done({ isTest: true })
    },
    refund: refunds.refund,
    readRefund: refunds.readRefund,
    listRefunds: refunds.listRefunds,

    async createPayment(request) {
      const refusal = (await findRefusal(database)) ?? refuseReceipt(request)
      if (refusal) return refusal
      const { id } = await openSandboxPayment(database, request)
      return done({ providerPaymentId: id, payUrl: `${publicUrl}/sandbox/pay/${id}` })
    },

    async tryReceipt(request) {
      return (await findRefusal(database)) ?? refuseReceipt(request) ?? done('canceled')
    },

    async readPayment(id) {
      const payment = isUuid(id) ? await findSandboxPayment(database, id) : undefined
      return payment ? done(toSnapshot(payment)) : rejected('not_found')
    },

    async listPayments(from, to) {
      const refusal = await findRefusal(database)
      if (refusal) return refusal
      const rows = await listPaidAtSandbox(database, from, to)
      return rows.length > SERVER_LIMITS.reconciledPaymentsMax
        ? unknown('too_many_payments')
        : done(rows.map(toSnapshot))
    },

    async readWebhook(webhook) {
      if (!isSigned(webhook)) return forged('wrong signature')
      const told = toJson(webhook.body)
      const said = sandboxDispute.safeParse(told)
      if (said.success) {
        return { verified: true, events: [], refunds: [], disputes: [sandboxReports(said.data)], reply: accepted }
      }
      const refund = refundWebhook.safeParse(told)
      if (refund.success) return { verified: true, events: [], refunds: [refund.data.refund.id], reply: accepted }
      const read = paymentWebhook.safeParse(told)
      if (!read.success) return forged('not a webhook')
      const { id: key, payment } = read.data
      const snapshot = {
        ...payment,
        providerPaymentId: payment.id,
        reference: payment.key,
        ...sayWhy(payment.status),
      }
      return {
        verified: true,
        events: [{ providerPaymentId: payment.id, proven: { key, snapshot } }],
        refunds: [],
        reply: accepted,
      }
    },

    async act(id, action, now) {
      if (isDisputeAction(action)) {
        const told = await database.transaction(async (tx) => playDispute(tx, await lock(tx, id), action, now))
        return { webhooks: [sign(told, now)] }
      }
      if (!isPayAction(action)) {
        const told = await refunds.act((await find(id)).id, action)
        return {
          webhooks: told.map(({ id, status }) => sign({ id: `${status}:${id}`, refund: { id } }, now)),
        }
      }
      const status = statusAfter[action]
      const charged = await database.transaction(async (tx) => {
        const payment = await decide(tx, id, status)
        if (action !== 'pay_twice') return [payment]
        const second = await chargeSandboxAgain(tx, id)
        return [payment, { ...payment, id: second.id }]
      })
      const isTold = action !== 'delay'
      return { webhooks: isTold ? charged.map((payment) => sign(toWebhook(payment), now)) : [] }
    },
  }
}

async function lock(tx: Tx, id: string): Promise<SandboxPaymentRow> {
  const payment = isUuid(id) ? await lockSandboxPayment(tx, id) : undefined
  if (!payment) throw new Failure('NOT_FOUND')
  return payment
}

async function decide(tx: Tx, id: string, status: SandboxStatus): Promise<SandboxPaymentRow> {
  const payment = await lock(tx, id)
  if (payment.status !== 'pending')
    throw new Failure('STATE_CONFLICT', { reason: 'payment_decided', status: payment.status })
  await decideSandboxPayment(tx, id, status)
  return { ...payment, status }
}

/** A payment of the sandbox ends unpaid only when somebody declines it. */
const sayWhy = (status: SandboxStatus) => status === 'canceled' && { why: 'declined' }

const toSnapshot = ({ id, key, status, amount, currency }: SandboxPaymentRow): PaymentSnapshot => ({
  providerPaymentId: id,
  reference: key,
  status: status === 'processing' ? 'pending' : status,
  amount,
  currency,
  ...sayWhy(status),
})

const toWebhook = ({ id, key, status, amount, currency }: SandboxPaymentRow) => ({
  id: `${status}:${id}`,
  payment: { id, key, status, amount, currency },
})

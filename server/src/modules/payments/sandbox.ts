import { randomBytes } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import { currencies } from '@olmos/contract/money'
import type { SandboxAction, SandboxStatus } from '@olmos/contract/payments'
import { z } from 'zod'
import type { Database, Tx } from '../../platform/database.ts'
import { done, rejected } from '../../platform/outcome.ts'
import { accepted, jsonOf, type Notice, type PaymentProvider, type PaymentSnapshot, refused } from './provider.ts'
import {
  chargeSandboxAgain,
  decideSandboxPayment,
  findSandboxPayment,
  findSandboxRefund,
  insertSandboxRefund,
  lockSandboxPayment,
  openSandboxPayment,
  type SandboxPayment,
} from './sandbox.store.ts'
import { isDisputeAction, playDispute, sandboxDispute, toldBySandbox } from './sandbox-disputes.ts'
import { isSignedNotice, signNotice } from './signature.rules.ts'

/** A provider whose bank is whoever looks at its pay page. */
export interface Sandbox extends PaymentProvider {
  find(id: string): Promise<SandboxPayment>
  /** Does as told and answers the notices a real provider would send of it. Refuses once a payment is decided. */
  act(id: string, action: SandboxAction, now: Date): Promise<{ status: SandboxStatus; notices: Notice[] }>
}

const notice = z.object({
  id: z.string().max(128),
  payment: z.object({
    id: z.uuid(),
    key: z.string().max(128),
    status: z.enum(['pending', 'succeeded', 'canceled']),
    amount: z.int(),
    currency: z.string().max(8),
  }),
})

const isUuid = (text: string): boolean => z.uuid().safeParse(text).success

const header = 'sandbox-signature'

const statusAfter = {
  pay: 'succeeded',
  pay_twice: 'succeeded',
  pay_late: 'succeeded',
  decline: 'canceled',
  delay: 'processing',
} as const satisfies Partial<Record<SandboxAction, SandboxStatus>>

/** Takes no real money. Its books are in the database, so that it can be asked like any other. */
export function sandbox({
  database,
  publicUrl,
  secret = randomBytes(32).toString('hex'),
}: {
  database: Database
  publicUrl: string
  secret?: string | undefined
}): Sandbox {
  const find = async (id: string) => {
    const payment = isUuid(id) ? await findSandboxPayment(database, id) : undefined
    if (!payment) throw new Failure('NOT_FOUND')
    return payment
  }

  return {
    name: 'sandbox',
    currencies,
    find,

    async createPayment(request) {
      const { id } = await openSandboxPayment(database, request)
      return done({ providerPaymentId: id, payUrl: `${publicUrl}/sandbox/pay/${id}` })
    },

    async readPayment(id) {
      const payment = isUuid(id) ? await findSandboxPayment(database, id) : undefined
      return payment ? done(snapshotOf(payment)) : rejected('not_found')
    },

    refund: (request) =>
      database.transaction(async (tx) => {
        const payment = await lockSandboxPayment(tx, request.providerPaymentId)
        if (payment?.status !== 'succeeded') return rejected('not_paid')
        const refund = (await findSandboxRefund(tx, { key: request.key })) ?? (await insertSandboxRefund(tx, request))
        return refund ? done({ providerRefundId: refund.id, status: 'succeeded' as const }) : rejected('too_much')
      }),

    async readRefund(id) {
      const refund = isUuid(id) ? await findSandboxRefund(database, { id }) : undefined
      return refund ? done({ providerRefundId: refund.id, status: 'succeeded' as const }) : rejected('not_found')
    },

    async readWebhook({ body, headers, now }) {
      const signature = headers[header]
      const text = body.toString()
      if (typeof signature !== 'string' || !isSignedNotice(secret, text, signature, now))
        return refused('wrong signature')
      const said = sandboxDispute.safeParse(jsonOf(body))
      if (said.success) {
        return { verified: true, events: [], refunds: [], disputes: [toldBySandbox(said.data)], reply: accepted }
      }
      const read = notice.safeParse(jsonOf(body))
      if (!read.success) return refused('not a notice')
      const { id: key, payment } = read.data
      const snapshot = { ...payment, providerPaymentId: payment.id, reference: payment.key }
      return {
        verified: true,
        events: [{ providerPaymentId: payment.id, proven: { key, snapshot } }],
        refunds: [],
        reply: accepted,
      }
    },

    async act(id, action, now) {
      if (isDisputeAction(action)) {
        const body = await database.transaction(async (tx) => playDispute(tx, await lock(tx, id), action, now))
        return { status: 'succeeded', notices: [signed(body, secret, now)] }
      }
      const status = statusAfter[action]
      const charged = await database.transaction(async (tx) => {
        const payment = await decide(tx, id, status)
        if (action !== 'pay_twice') return [payment]
        const second = await chargeSandboxAgain(tx, id)
        return [payment, { ...payment, id: second.id }]
      })
      const isTold = action !== 'delay'
      return { status, notices: isTold ? charged.map((payment) => noticeOf(payment, secret, now)) : [] }
    },
  }
}

async function lock(tx: Tx, id: string): Promise<SandboxPayment> {
  const payment = isUuid(id) ? await lockSandboxPayment(tx, id) : undefined
  if (!payment) throw new Failure('NOT_FOUND')
  return payment
}

async function decide(tx: Tx, id: string, status: SandboxStatus): Promise<SandboxPayment> {
  const payment = await lock(tx, id)
  if (payment.status !== 'pending') throw new Failure('STATE_CONFLICT', { status: payment.status })
  await decideSandboxPayment(tx, id, status)
  return { ...payment, status }
}

const snapshotOf = ({ id, key, status, amount, currency }: SandboxPayment): PaymentSnapshot => ({
  providerPaymentId: id,
  reference: key,
  status: status === 'processing' ? 'pending' : status,
  amount,
  currency,
})

function noticeOf({ id, key, status, amount, currency }: SandboxPayment, secret: string, now: Date): Notice {
  const body = JSON.stringify({ id: `${status}:${id}`, payment: { id, key, status, amount, currency } })
  return signed(body, secret, now)
}

const signed = (body: string, secret: string, now: Date): Notice => ({
  body: Buffer.from(body),
  headers: { [header]: signNotice(secret, body, now) },
  address: '127.0.0.1',
  now,
})

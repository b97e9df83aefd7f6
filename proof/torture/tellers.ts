import type { SandboxRefundAction } from '@olmos/contract/payments'
import { type Sandbox, sandboxProvider } from '../../server/src/modules/payments/providers/sandbox.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { signWebhook } from '../../server/src/platform/vendor/adapters.ts'
import { type CryptopayDouble, startCryptopay } from '../../server/test/doubles/cryptopay.ts'
import { startTbank, type TbankDouble } from '../../server/test/doubles/tbank.ts'
import type { VendorDouble } from '../../server/test/doubles/vendor-double.ts'
import { startYookassa, type YookassaDouble } from '../../server/test/doubles/yookassa.ts'
import type { Chance } from '../random.ts'
import { untilAnswered } from './inspection.ts'
import { sandboxSecret } from './stage.ts'
import type { BankName, Payment, TellingName } from './ways.ts'

/** What a provider sends to the store. */
export interface Report {
  path: string
  body: string | Buffer
  headers: Record<string, string>
}

/** A provider that tells, with its books, from its own side. */
export interface Teller {
  /** Writes into its books what became of the payment, and how much came. */
  decide(payment: Payment, status: 'succeeded' | 'canceled'): Promise<void>
  /** Makes the webhook that it sends about the payment as it stands, however often and late. */
  report(payment: Payment, status: 'succeeded' | 'canceled'): () => Report
  /** Refunds money in its cabinet; nothing where all has gone back, or where it makes no refunds. */
  refund(payment: Payment, share: 'whole' | 'half'): Promise<void>
  /** Makes the webhooks of all refunds of the payment. */
  refundReports(payment: Payment): Promise<(() => Report)[]>
}

/** Money that a provider took, as its own books have it, in minor units of what it charges. */
export interface BankCharge {
  provider: BankName
  /** The id by which the store knows the payment. */
  id: string
  amount: number
  currency: string
  refunded: number
  charged_back: number
}

/** The doubles of the providers that tell, which outlive every kill. */
export interface TellingDoubles {
  yookassa: YookassaDouble
  tbank: TbankDouble
  cryptopay: CryptopayDouble
}

/** Starts them on this machine; `closers` end them. */
export async function startTellingDoubles(closers: Closers): Promise<TellingDoubles> {
  const [yookassa, tbank, cryptopay] = await Promise.all([startYookassa(), startTbank(), startCryptopay()])
  closers.push(async () => void (await Promise.all([yookassa.close(), tbank.close(), cryptopay.close()])))
  return { yookassa, tbank, cryptopay }
}

/** What the store needs to know of them. */
export const tellerSettings = ({ yookassa, tbank, cryptopay }: TellingDoubles) => ({
  YOOKASSA_SHOP_ID: yookassa.shopId,
  YOOKASSA_SECRET_KEY: yookassa.secretKey,
  YOOKASSA_BASE_URL: yookassa.url,
  YOOKASSA_ADDRESSES: '127.0.0.1/32',
  TBANK_TERMINAL_KEY: tbank.terminalKey,
  TBANK_PASSWORD: tbank.password,
  TBANK_BASE_URL: tbank.url,
  CRYPTOPAY_TOKEN: cryptopay.token,
  CRYPTOPAY_BASE_URL: cryptopay.url,
})

/** Has a double lose, from now on, one answer in eight to a call that it has carried out, or has not. */
export const loseSomeAnswers = (double: VendorDouble, chance: Chance) =>
  Object.defineProperty(double, 'fault', {
    get: () => (chance.isTrue(1 / 8) ? chance.pick(['broken-after', 'broken-before', 'hang-up'] as const) : undefined),
  })

export const bankFor = (database: Database): Sandbox =>
  sandboxProvider.create({ SANDBOX_SECRET: sandboxSecret }, { database, publicUrl: '' })

const json = { 'content-type': 'application/json' }
const kopecks = (value: string): number => Math.round(Number(value) * 100)
const toShare = (left: number, share: 'whole' | 'half'): number => (share === 'whole' ? left : Math.floor(left / 2))

/** Makes a webhook of the sandbox, signed when it is sent. */
export const toSandboxReport = (told: object) => {
  const body = JSON.stringify(told)
  return (): Report => ({
    path: '/payment/webhook/sandbox',
    body,
    headers: { ...json, 'sandbox-signature': signWebhook(sandboxSecret, body, new Date()) },
  })
}

function sandboxTeller(database: Database): Teller {
  const bank = bankFor(database)
  return {
    decide: async ({ id, amount }, status) =>
      void (await untilAnswered(() =>
        database.run(sql`UPDATE sandbox_payment SET status = ${status}, amount = ${amount} WHERE id = ${id}`),
      )),
    report: ({ id, key, amount, currency }, status) =>
      toSandboxReport({ id: crypto.randomUUID(), payment: { id, key, status, amount, currency } }),
    refund: ({ id }, share) => actAtSandbox(database, id, share === 'whole' ? 'refund_outside' : 'refund_outside_part'),
    async refundReports({ id: paymentId }) {
      const listed = await untilAnswered(() => bank.listRefunds(paymentId))
      const refunds = listed.kind === 'done' ? listed.value : []
      return refunds.map(({ providerRefundId: id, status }) =>
        toSandboxReport({ id: `${status}:${id}`, refund: { id } }),
      )
    },
  }
}

/** Does it in the sandbox's own books; what was done before the database was gone for a moment is not done again. */
export async function actAtSandbox(database: Database, id: string, action: SandboxRefundAction): Promise<void> {
  const bank = bankFor(database)
  const countRefunds = () =>
    database.one<{ before: number }>(sql`SELECT count(*)::int AS before FROM sandbox_refund WHERE payment_id = ${id}`)
  const { before } = await untilAnswered(countRefunds)
  await untilAnswered(async () => {
    const isCabinet = action.startsWith('refund_outside')
    if (isCabinet && (await countRefunds()).before > before) return
    await bank.act(id, action, new Date()).catch((error) => {
      // Nothing is left to refund.
      if (error?.code !== 'STATE_CONFLICT') throw error
    })
  })
}

function yookassaTeller(double: YookassaDouble): Teller {
  const path = '/payment/webhook/yookassa'
  const listRefunds = (id: string) => [...double.refunds.values()].filter(({ payment_id }) => payment_id === id)
  return {
    async decide({ id, amount }, status) {
      if (status === 'canceled') return double.decline(id)
      double.pay(id)
      const payment = double.payments.get(id)
      if (payment) payment.amount = { ...payment.amount, value: (amount / 100).toFixed(2) }
    },
    report({ id }) {
      const body = double.webhook(id)
      return () => ({ path, body, headers: json })
    },
    async refund({ id, amount }, share) {
      if (!double.payments.get(id)?.paid) return
      const left = amount - sumUp(listRefunds(id))
      const wanted = toShare(left, share)
      if (wanted > 0) double.refundByHand(id, wanted)
    },
    refundReports: async ({ id }) =>
      listRefunds(id).map((refund) => {
        const body = double.webhook(refund.id)
        return () => ({ path, body, headers: json })
      }),
  }
}

const sumUp = (refunds: readonly { status: string; amount: { value: string } }[]): number =>
  refunds.reduce((sum, { status, amount }) => sum + (status === 'canceled' ? 0 : kopecks(amount.value)), 0)

const paidAtTbank = ['CONFIRMED', 'PARTIAL_REFUNDED', 'REFUNDED']

function tbankTeller(double: TbankDouble): Teller {
  const told = (id: string) => {
    const body = double.notification(id)
    return (): Report => ({ path: '/payment/webhook/tbank', body, headers: json })
  }
  return {
    async decide({ id }, status) {
      if (status === 'succeeded') double.pay(id)
      else double.decline(id)
    },
    report: ({ id }) => told(id),
    async refund({ id }, share) {
      const payment = double.payments.get(id)
      if (!payment || !paidAtTbank.includes(payment.status)) return
      const wanted = toShare(payment.amount, share)
      if (wanted > 0) double.refundByHand(id, wanted)
    },
    refundReports: async ({ id }) => [told(id)],
  }
}

function cryptopayTeller(double: CryptopayDouble): Teller {
  return {
    async decide({ id }, status) {
      if (status === 'succeeded') double.pay(id)
      else double.expire(id)
    },
    report:
      ({ id }) =>
      () => {
        const { body, headers } = double.webhook(id)
        return { path: '/payment/webhook/cryptopay', body, headers: { ...json, ...headers } }
      },
    refund: async () => {},
    refundReports: async () => [],
  }
}

/** The providers that tell, each from its own side. */
export const openTellers = (database: Database, doubles: TellingDoubles): Record<TellingName, Teller> => ({
  sandbox: sandboxTeller(database),
  yookassa: yookassaTeller(doubles.yookassa),
  tbank: tbankTeller(doubles.tbank),
  cryptopay: cryptopayTeller(doubles.cryptopay),
})

/** Lists the money that each of them took and refunded, by its own books. */
export async function listToldCharges(database: Database, doubles: TellingDoubles): Promise<BankCharge[]> {
  const { yookassa, tbank, cryptopay } = doubles
  const atSandbox = await untilAnswered(() =>
    database.rows<BankCharge>(sql`
      SELECT 'sandbox' AS provider, id::text AS id, amount, currency,
        (SELECT coalesce(sum(amount), 0)::bigint FROM sandbox_refund
          WHERE payment_id = sandbox_payment.id AND status <> 'failed') AS refunded,
        CASE WHEN EXISTS (SELECT FROM sandbox_dispute
          WHERE payment_id = sandbox_payment.id AND kind = 'dispute' AND status IN ('open', 'lost'))
          THEN amount ELSE 0 END AS charged_back
      FROM sandbox_payment WHERE status = 'succeeded'`),
  )
  const none = { refunded: 0, charged_back: 0 }
  const atYookassa = [...yookassa.payments.values()]
    .filter(({ paid }) => paid)
    .map(({ id, amount }): BankCharge => {
      const refunded = sumUp([...yookassa.refunds.values()].filter(({ payment_id }) => payment_id === id))
      return { ...none, provider: 'yookassa', id, amount: kopecks(amount.value), currency: amount.currency, refunded }
    })
  const atTbank = [...tbank.payments.values()]
    .filter(({ status }) => paidAtTbank.includes(status))
    .map(
      ({ paymentId, initial, amount }): BankCharge => ({
        ...none,
        provider: 'tbank',
        id: String(paymentId),
        amount: initial,
        currency: 'RUB',
        refunded: initial - amount,
      }),
    )
  const atCryptopay = [...cryptopay.invoices.values()]
    .filter(({ status }) => status === 'paid')
    .map(
      ({ invoice_id, amount, fiat }): BankCharge => ({
        ...none,
        provider: 'cryptopay',
        id: String(invoice_id),
        amount: kopecks(amount),
        currency: fiat,
      }),
    )
  return [...atSandbox, ...atYookassa, ...atTbank, ...atCryptopay]
}

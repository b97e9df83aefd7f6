import { randomBytes } from 'node:crypto'
import type { Send } from './asking-call.ts'

export interface PaymeAnswer {
  status: number
  id: unknown
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the store answered
  result?: any
  error?: { code: number; message: { ru: string; uz: string; en: string }; data?: string }
}

interface PaymeCall {
  key?: string
  address?: string
  id?: unknown
}

/** A transaction as Payme has it. */
export interface PaymeTransaction {
  id: string
  time: number
  amount: number
  account: { order_id: string }
}

/** One step of a scenario, with what the sandbox expects and what it was told. */
export interface PaymeStep {
  name: string
  /** An error code, the first and last of a range of them, or fields of the result. */
  expected: number | readonly [number, number] | object
  told: PaymeAnswer
}

/** The store's error when an order can not be paid: the vendor leaves it a range. */
const accountErrors = [-31099, -31050] as const

export interface PaymeDouble {
  merchantId: string
  key: string
  call(method: string, params: unknown, how?: PaymeCall): Promise<PaymeAnswer>
  /** Sends bytes with the right credentials. */
  sendBytes(body: Buffer): Promise<PaymeAnswer>
  transaction(orderId: string, amount: number): PaymeTransaction
  create(transaction: PaymeTransaction): Promise<PaymeAnswer>
  perform(transaction: PaymeTransaction): Promise<PaymeAnswer>
  cancel(transaction: PaymeTransaction, reason?: number): Promise<PaymeAnswer>
  check(transaction: PaymeTransaction): Promise<PaymeAnswer>
  /** The sandbox's first scenario: create, and cancel what was not confirmed. */
  cancelUnconfirmed(orderId: string, amount: number): Promise<PaymeStep[]>
  /** The sandbox's second scenario: create, confirm, and cancel what was confirmed. */
  cancelConfirmed(orderId: string, amount: number): Promise<PaymeStep[]>
}

/**
 * Payme as it calls a store: by JSON-RPC from one of its addresses, with its key. The scenarios are those of its sandbox for
 * an account that is paid once: developer.help.paycom.uz/pesochnitsa.
 */
export function createPaymeDouble(send: Send): PaymeDouble {
  const merchantId = '587f72c72cac0d162c722ae2'
  const key = 'CYXjkwMS?0eYXs&#Rt2E@uJ5hQ8Yxr9qGwWm'
  let calls = 0

  const post = async (body: Buffer, { key: told = key, address = '185.234.113.7' }: PaymeCall = {}) => {
    const credentials = Buffer.from(`Paycom:${told}`).toString('base64')
    const headers = { 'content-type': 'application/json; charset=UTF-8', authorization: `Basic ${credentials}` }
    const reply = await send({ body, headers, address, method: undefined })
    if (reply.type !== 'application/json') throw new Error(`${reply.status} without JSON: ${reply.body.slice(0, 200)}`)
    return { status: reply.status, ...JSON.parse(reply.body) } as PaymeAnswer
  }

  const call: PaymeDouble['call'] = (method, params, how = {}) =>
    post(Buffer.from(JSON.stringify({ method, params, id: 'id' in how ? how.id : ++calls })), how)

  const create = (transaction: PaymeTransaction) => call('CreateTransaction', transaction)
  const perform = ({ id }: PaymeTransaction) => call('PerformTransaction', { id })
  const cancel = ({ id }: PaymeTransaction, reason = 3) => call('CancelTransaction', { id, reason })
  const check = ({ id }: PaymeTransaction) => call('CheckTransaction', { id })
  const transaction = (orderId: string, amount: number): PaymeTransaction => ({
    id: randomBytes(12).toString('hex'),
    time: Date.now(),
    amount,
    account: { order_id: orderId },
  })

  /** What both scenarios start with: what is wrong is refused, and one transaction is created, twice alike. */
  const begin = async (orderId: string, amount: number) => {
    const steps: PaymeStep[] = []
    const step = async (name: string, expected: PaymeStep['expected'], asked: Promise<PaymeAnswer>) => {
      const told = await asked
      steps.push({ name, expected, told })
      return told
    }
    const paid = transaction(orderId, amount)
    const { account } = paid
    const params = { amount, account }
    const methods = { CheckPerformTransaction: params, CreateTransaction: paid }
    const ofOne = ['PerformTransaction', 'CancelTransaction', 'CheckTransaction']
    for (const method of [...Object.keys(methods), ...ofOne, 'GetStatement']) {
      await step(`${method} with a wrong key`, -32504, call(method, { ...paid, reason: 3 }, { key: 'wrong' }))
    }
    for (const [method, sent] of Object.entries(methods)) {
      await step(`${method} of a wrong amount`, -31001, call(method, { ...sent, amount: amount + 1 }))
      const other = { order_id: 'ZZZZZZZZZZ' }
      await step(`${method} for an unknown account`, accountErrors, call(method, { ...sent, account: other }))
    }
    await step('CheckPerformTransaction', { allow: true }, call('CheckPerformTransaction', params))
    const created = await step('CreateTransaction', { state: 1 }, create(paid))
    await step('CreateTransaction again', created.result, create(paid))
    const begun = { state: 1, perform_time: 0, cancel_time: 0, reason: null }
    await step('CheckTransaction', { ...begun, create_time: created.result?.create_time }, check(paid))
    await step('CreateTransaction of another', accountErrors, create(transaction(orderId, amount)))
    return { steps, step, paid }
  }

  /** What both scenarios end with. */
  const end = async ({ step, paid, steps }: Awaited<ReturnType<typeof begin>>, state: -1 | -2, reason: number) => {
    const canceled = await step('CancelTransaction', { state }, cancel(paid, reason))
    await step('CancelTransaction again', canceled.result, cancel(paid, reason))
    const { cancel_time } = canceled.result ?? {}
    await step('CheckTransaction', { state, reason, cancel_time }, check(paid))
    await step('PerformTransaction of a canceled one', -31008, perform(paid))
    return steps
  }

  return {
    merchantId,
    key,
    call,
    sendBytes: post,
    transaction,
    create,
    perform,
    cancel,
    check,
    async cancelUnconfirmed(orderId, amount) {
      return end(await begin(orderId, amount), -1, 3)
    },
    async cancelConfirmed(orderId, amount) {
      const begun = await begin(orderId, amount)
      const performed = await begun.step('PerformTransaction', { state: 2 }, perform(begun.paid))
      await begun.step('PerformTransaction again', performed.result, perform(begun.paid))
      const { perform_time } = performed.result ?? {}
      await begun.step('CheckTransaction', { state: 2, perform_time, cancel_time: 0 }, check(begun.paid))
      const params = { amount, account: { order_id: orderId } }
      await begun.step('CheckPerformTransaction', accountErrors, call('CheckPerformTransaction', params))
      return end(begun, -2, 5)
    },
  }
}

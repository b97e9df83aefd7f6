import { createHash, randomInt } from 'node:crypto'
import type { Send } from './asking-call.ts'
import { startVendor, type VendorDouble, type VendorRequest } from './vendor-double.ts'

export interface ClickAnswer {
  status: number
  error: number
  error_note: string
  click_trans_id?: number | string
  merchant_trans_id?: string
  merchant_prepare_id?: number | string
  merchant_confirm_id?: number | string
}

/** An attempt to pay, as Click has it. */
export interface ClickTransaction {
  click_trans_id: string
  click_paydoc_id: string
  merchant_trans_id: string
  /** In soums, as Click writes it. */
  amount: string
  merchant_prepare_id?: string
}

type Fields = Readonly<Record<string, string>>

/** One step of its test program, with the code it expects and what it was told. */
export interface ClickStep {
  name: string
  expected: number
  told: ClickAnswer
}

interface ClickPayment {
  id: number
  orderId: string
  /** The day it was made in Tashkent. */
  day: string
  status: number
}

export interface ClickDouble extends VendorDouble {
  serviceId: string
  merchantId: string
  merchantUserId: string
  secretKey: string
  payments: ClickPayment[]
  /** Why its processing center refuses reversals, as a code. */
  refusesReversals: number | undefined
  transaction(orderId: string, soums: string): ClickTransaction
  /** The fields of a call, signed as they are after the changes. */
  fields(transaction: ClickTransaction, action: 0 | 1, changes?: Fields): Fields
  post(method: string | undefined, fields: Fields | string): Promise<ClickAnswer>
  /** Calls Prepare, and keeps the store's id. */
  prepare(transaction: ClickTransaction, changes?: Fields): Promise<ClickAnswer>
  /** Calls Complete; an `error` in the changes says that the money was not taken. */
  complete(transaction: ClickTransaction, changes?: Fields): Promise<ClickAnswer>
  /** The cases of Click's test program, for three orders of one price. */
  playTests(orders: readonly [string, string, string], soums: string): Promise<ClickStep[]>
}

const problem = (status: number, error_code: number, error_note: string) => ({
  status,
  body: { error_code, error_note },
})

const toTashkent = (at: Date): string => new Date(at.getTime() + 5 * 3_600_000).toISOString()

/**
 * Click as it calls a store (docs.click.uz/en/click-api-request), with the cases of its test program
 * (docs.click.uz/en/click-api-testing, /click-api-error), and its Merchant API with statuses and reversals
 * (docs.click.uz/en/merchant-api-request).
 */
export async function startClick(send: Send): Promise<ClickDouble> {
  const [serviceId, merchantId, merchantUserId, secretKey] = ['28015', '20412', '32111', 'AAAAAAAA8bbbb']
  const payments: ClickPayment[] = []

  const double = await startVendor((request: VendorRequest) => {
    const [user, told = '', timestamp = ''] = String(request.headers.auth ?? '').split(':')
    const digest = createHash('sha1')
      .update(timestamp + secretKey)
      .digest('hex')
    const isFresh = Math.abs(Number(timestamp) - Date.now() / 1000) < 300
    if (user !== merchantUserId || told !== digest || !isFresh) return problem(401, -1, 'Not Authorized')
    const [, noun, what, service, name = '', day] = request.path.split('/')
    if (noun !== 'payment' || service !== serviceId) return problem(404, -404, 'Not Found')
    const id = decodeURIComponent(name)
    const payment = payments.find((one) =>
      what === 'status_by_mti' ? one.orderId === id && one.day === day : String(one.id) === id,
    )
    if (!payment) return problem(200, -16, 'Payment not found')
    const success = { error_code: 0, error_note: 'Success', payment_id: payment.id }
    if (request.method === 'GET') return { status: 200, body: { ...success, payment_status: payment.status } }
    if (request.method !== 'DELETE' || what !== 'reversal') return problem(404, -404, 'Not Found')
    if (self.refusesReversals !== undefined) return problem(200, self.refusesReversals, 'Reversal is not possible')
    if (payment.status !== 2) return problem(200, -5017, 'Payment was not completed')
    payment.status = -99
    return { status: 200, body: success }
  })

  const sign = (fields: Fields): string => {
    const {
      click_trans_id,
      service_id,
      merchant_trans_id,
      merchant_prepare_id = '',
      amount,
      action,
      sign_time,
    } = fields
    const prepareId = action === '1' ? merchant_prepare_id : ''
    const text = `${click_trans_id}${service_id}${secretKey}${merchant_trans_id}${prepareId}${amount}${action}${sign_time}`
    return createHash('md5').update(text).digest('hex')
  }

  const fields: ClickDouble['fields'] = (transaction, action, changes = {}) => {
    const { merchant_prepare_id, ...paid } = transaction
    const unsigned: Fields = {
      ...paid,
      service_id: serviceId,
      action: String(action),
      error: '0',
      error_note: 'Success',
      sign_time: toTashkent(new Date()).slice(0, 19).replace('T', ' '),
      ...(action === 1 && { merchant_prepare_id: merchant_prepare_id ?? '0' }),
      ...changes,
    }
    return { sign_string: sign(unsigned), ...unsigned }
  }

  const post: ClickDouble['post'] = async (method, form) => {
    const body = Buffer.from(typeof form === 'string' ? form : new URLSearchParams(form).toString())
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await send({ body, headers, address: '217.29.119.130', method })
    if (reply.type !== 'application/json') throw new Error(`${reply.status} without JSON: ${reply.body.slice(0, 200)}`)
    return { status: reply.status, ...JSON.parse(reply.body) } as ClickAnswer
  }

  const prepare: ClickDouble['prepare'] = async (transaction, changes) => {
    const told = await post('prepare', fields(transaction, 0, changes))
    if (told.error === 0) transaction.merchant_prepare_id = String(told.merchant_prepare_id)
    return told
  }

  const complete: ClickDouble['complete'] = async (transaction, changes = {}) => {
    const told = await post('complete', fields(transaction, 1, changes))
    const id = Number(transaction.click_paydoc_id)
    if (told.error === 0 && !payments.some((payment) => payment.id === id)) {
      payments.push({ id, orderId: transaction.merchant_trans_id, day: toTashkent(new Date()).slice(0, 10), status: 2 })
    }
    return told
  }

  const transaction: ClickDouble['transaction'] = (orderId, soums) => ({
    click_trans_id: String(randomInt(1_000_000_000, 9_999_999_999)),
    click_paydoc_id: String(randomInt(1_000_000_000, 9_999_999_999)),
    merchant_trans_id: orderId,
    amount: soums,
  })

  const self = Object.assign(double, {
    serviceId,
    merchantId,
    merchantUserId,
    secretKey,
    payments,
    refusesReversals: undefined as number | undefined,
    transaction,
    fields,
    post,
    prepare,
    complete,
    async playTests([completed, canceled, untouched]: readonly [string, string, string], soums: string) {
      const steps: ClickStep[] = []
      const step = async (name: string, expected: number, asked: Promise<ClickAnswer>) =>
        void steps.push({ name, expected, told: await asked })
      const wrong = { sign_string: '0'.repeat(32) }
      const one = transaction(completed, soums)
      const { amount: _, ...incomplete } = fields(one, 0)
      await step('Prepare without a parameter', -8, post('prepare', incomplete))
      await step('Prepare with a wrong signature', -1, prepare(one, wrong))
      await step('Prepare of an unknown action', -3, prepare(one, { action: '5' }))
      await step('Prepare of a wrong amount', -2, prepare(one, { amount: '1.00' }))
      await step('Prepare for an unknown order', -5, prepare(one, { merchant_trans_id: 'ZZZZZZZZZZ' }))
      await step('Prepare', 0, prepare(one))
      await step('Prepare again', 0, prepare(one))
      await step('Complete with a wrong signature', -1, complete(one, wrong))
      await step('Complete of an unknown action', -3, complete(one, { action: '5' }))
      await step('Complete of a wrong amount', -2, complete(one, { amount: '1.00' }))
      await step('Complete with an unknown id', -6, complete(one, { merchant_prepare_id: '999999999' }))
      await step('Complete', 0, complete(one))
      await step('Complete again', -4, complete(one))
      await step('Prepare of what is complete', -4, prepare(one))
      await step('Prepare of another payment for a paid order', -4, prepare(transaction(completed, soums)))
      await step('Complete with an error of what is complete', -4, complete(one, { error: '-5017' }))
      const two = transaction(canceled, soums)
      await step('Prepare', 0, prepare(two))
      await step('Complete with an error', -9, complete(two, { error: '-5017', error_note: 'No money' }))
      await step('Complete with an error again', -9, complete(two, { error: '-5017', error_note: 'No money' }))
      await step('Complete of what is canceled', -9, complete(two))
      await step('Prepare of what is canceled', -9, prepare(two))
      await step('Complete without Prepare', -6, complete(transaction(untouched, soums)))
      return steps
    },
  })
  return self
}

import { expireOverdueOrders } from '../src/modules/checkout/expire-order.ts'
import { createPaymentBooks } from '../src/modules/checkout/payment-books.ts'
import type { AskingProvider, PaymentBooks, ProviderName } from '../src/modules/payments/provider.ts'
import { sql } from '../src/platform/database/queries.ts'
import { aCardOrder, type CardOrder, expectSound, passTime, setRate, startCardShop } from './card-orders.ts'
import type { AskingCall } from './doubles/asking-call.ts'
import { aUser, setFee } from './factories.ts'
import type { TestShop } from './shop.ts'

/** A store as a provider that asks sees it, with its books. */
export interface AskedShop {
  provider: AskingProvider
  /** Calls the store over HTTP, as the provider does. */
  send(call: AskingCall): Promise<{ status: number; body: string; type?: 'application/json' }>
  /** Places an order that waits for `askedTiyin`, and for a fee of so many cents more; returns its id. */
  order(fee?: number): Promise<string>
  /** Shows the buyer the code. */
  deliver(orderId: string): Promise<void>
  expire(orderId: string): Promise<void>
  /** Types what receipts say of products that say nothing else. */
  setFiscal(body: object): Promise<number>
  /** Types what receipts say of the product of an order. */
  setProduct(orderId: string, body: object): Promise<{ status: number; details: object | undefined }>
  find: PaymentBooks['find']
  /** Makes the transaction older than it is. */
  age(id: string, ms: number): Promise<void>
  /** From now on, what a call moves in the books is kept, but it fails before it is answered. */
  dieAfterMoving(isDying: boolean): void
  /** From now on, what a call has found in the books is performed by another call before the first goes on. */
  overtake(isOvertaken: boolean): void
  /** Everything in the books that a call could move. */
  snapshot(): Promise<string>
  /** Expects the invariants of the store to be true, and closes it. */
  close(): Promise<void>
}

/** Ten dollars at 12 500 soums each. */
export const askedTiyin = 12_500_000
const [priceUsd, soumsForDollar] = [1_000, 12_500]

/** Opens a store that has one provider, which asks. */
export async function openAskedShop(name: ProviderName, environment: Record<string, string>): Promise<AskedShop> {
  const shop = await startCardShop({ PAYMENT_PROVIDERS: name, ...environment })
  await setRate(shop, 'UZS', soumsForDollar)
  const provider = shop.providers.configured.find((one): one is AskingProvider => one.answer !== undefined)
  if (!provider) throw new Error(`${name} does not ask`)
  const orders = new Map<string, CardOrder>()
  const books = createPaymentBooks(shop.database, name)
  let isDying = false
  let isOvertaken = false
  return {
    provider,
    async send({ method, body, headers, address }) {
      if (isDying || isOvertaken) {
        const call = { method, body, headers, address, now: shop.clock.now() }
        return provider.answer(call, isDying ? dyingAfterMoving(books) : overtakenByPerforming(books))
      }
      const answer = await shop.app.inject({
        method: 'POST',
        url: `/api/payment/webhook/${name}${method === undefined ? '' : `/${method}`}`,
        payload: body,
        headers,
        remoteAddress: address,
      })
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      return { status: answer.statusCode, body: answer.body, ...(isJson && { type: 'application/json' as const }) }
    },
    async order(fee = 0) {
      if (fee > 0) await setFee(shop, name, { usd: fee })
      const order = await aCardOrder(shop, { priceUsd, fee })
      if (fee > 0) await setFee(shop, name)
      orders.set(order.orderId, order)
      return order.orderId
    },
    async deliver(orderId) {
      await shop.call('GET', `/orders/${orderId}`, { token: orders.get(orderId)?.buyer.token ?? '' })
    },
    async expire(orderId) {
      await passTime(shop, orderId)
      await expireOverdueOrders(shop.database)
    },
    async setFiscal(body) {
      const { token } = await aUser(shop, { role: 'admin' })
      return (await shop.call('PUT', '/admin/fiscal-settings', { token, body })).status
    },
    async setProduct(orderId, body) {
      const { token } = await aUser(shop, { role: 'admin' })
      const path = `/admin/products/${orders.get(orderId)?.offer.productId}`
      const answer = await shop.call('PUT', path, { token, body })
      return { status: answer.status, details: answer.body.error?.details }
    },
    find: books.find,
    async age(id, ms) {
      await shop.database.run(sql`
        UPDATE provider_transaction SET begun_at = begun_at - make_interval(secs => ${ms / 1000})
        WHERE external_id = ${id}`)
    },
    dieAfterMoving: (next) => {
      isDying = next
    },
    overtake: (next) => {
      isOvertaken = next
    },
    snapshot: () => readMoved(shop),
    async close() {
      await expectSound(shop)
      await shop.close()
    },
  }
}

/** Books that keep what is moved in them, and then fail. */
function dyingAfterMoving(books: PaymentBooks): PaymentBooks {
  const die = async (moving: Promise<unknown>): Promise<never> => {
    await moving
    throw new Error('the connection is lost')
  }
  return {
    ...books,
    begin: (account, transaction) => die(books.begin(account, transaction)),
    perform: (id, at) => die(books.perform(id, at)),
    cancel: (id, reason, at, options) => die(books.cancel(id, reason, at, options)),
  }
}

/** Books in which what was found is performed meanwhile. */
const overtakenByPerforming = (books: PaymentBooks): PaymentBooks => ({
  ...books,
  async find(id) {
    const found = await books.find(id)
    await books.perform(id, new Date())
    return found
  },
})

async function readMoved({ database }: TestShop): Promise<string> {
  const { moved } = await database.one<{ moved: string }>(sql`
    SELECT concat_ws(E'\n',
      (SELECT json_agg(one ORDER BY id) FROM provider_transaction one),
      (SELECT json_agg(json_build_array(id, status, charge_amount, booked_amount) ORDER BY id) FROM payment),
      (SELECT json_agg(json_build_array(id, status, expires_at) ORDER BY id) FROM orders),
      (SELECT json_agg(json_build_array(id, status) ORDER BY id) FROM code),
      (SELECT json_agg(one ORDER BY id) FROM card_refund one),
      (SELECT json_agg(json_build_array(id, kind, amount) ORDER BY id) FROM transfer)) AS moved`)
  return moved
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect } from 'vitest'
import { checkInvariants } from '../src/modules/proof/ledger-proof.ts'
import { putInForce } from '../src/modules/rates/rates.ts'
import { raw, sql } from '../src/platform/database/queries.ts'
import { signWebhook } from '../src/platform/vendor/adapters.ts'
import { startStripe } from './doubles/stripe.ts'
import { startYookassa } from './doubles/yookassa.ts'
import { anOffer, aUser, type OfferWish, type TestOffer, type TestUser, toCart } from './factories.ts'
import { type Answer, startShop, type TestShop } from './shop.ts'

export const sandboxSecret = 'the secret of the sandbox'

/** Starts a store whose sandbox signs with a secret that tests know. */
export const startCardShop = (settings: Record<string, string> = {}) =>
  startShop({ SANDBOX_SECRET: sandboxSecret, ...settings })

interface CardShopOptions {
  /** Soums to the dollar; without it nothing can be charged in soums. */
  soumRate?: number
}

/**
 * The store of a file's tests, or of one group: opened before the first of them and closed after the last, when every
 * invariant must hold.
 */
export function useCardShop({ soumRate }: CardShopOptions = {}): TestShop {
  const shop = {} as TestShop
  beforeAll(async () => {
    Object.assign(shop, await startCardShop())
    if (soumRate) await setRate(shop, 'UZS', soumRate)
  })
  afterAll(async () => {
    await expectSound(shop)
    await shop.close()
  })
  return shop
}

export interface CardOrder {
  buyer: TestUser
  offer: TestOffer
  orderId: string
  payUrl: string
  /** The provider's id. */
  paymentId: string
  key: string
  /** What is paid by card, in minor units, with the fee of the method. */
  amount: number
}

export const fillCart = (shop: TestShop, buyer: TestUser, offer: TestOffer, quantity = 1) =>
  shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, quantity) })

export const pressPay = (
  shop: TestShop,
  buyer: TestUser,
  amount: number,
  {
    currency = 'USD',
    key,
    method,
    fromBalance = 0,
    fee = 0,
  }: { currency?: string; key?: string; method?: string | undefined; fromBalance?: number; fee?: number } = {},
): Promise<Answer> =>
  shop.call('POST', '/payment/create', {
    token: buyer.token,
    body: {
      amount: amount / 100,
      currency,
      type: 'order',
      method,
      ...(fromBalance > 0 && { from_balance: fromBalance / 100 }),
      ...(fee > 0 && { fee: fee / 100 }),
    },
    headers: key ? { 'idempotency-key': key } : {},
  })

export const payFromBalance = (shop: TestShop, buyer: TestUser) =>
  shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })

/**
 * Reserves codes by `work` while the offer has twice as many in stock, so that unpaid orders may reserve all that the
 * test gave it: their share is tested by reserved-share.test.ts.
 */
export async function onFullShelf<T>(shop: TestShop, offer: TestOffer, work: () => Promise<T>): Promise<T> {
  const extra = await shop.database.rows<{ id: number }>(sql`
    INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint)
    SELECT nextval('code_id'), offer_id, batch_id, key_id, ciphertext, sha256(convert_to(gen_random_uuid()::text, 'UTF8'))
    FROM code WHERE offer_id = ${offer.id} AND status IN ('available', 'reserved')
    LIMIT ${offer.codes.length} RETURNING id`)
  try {
    return await work()
  } finally {
    const ids = extra.map(({ id }) => id)
    await shop.database.run(sql`DELETE FROM code WHERE id = ANY (${ids}::bigint[]) AND status = 'available'`)
  }
}

/** Makes an order that waits for its payment at the sandbox. Its buyer has as much as the balance pays of it. */
export async function aCardOrder(
  shop: TestShop,
  {
    quantity = 1,
    offer: given,
    method,
    fromBalance = 0,
    fee = 0,
    ...wish
  }: OfferWish & { quantity?: number; offer?: TestOffer; method?: string; fromBalance?: number; fee?: number } = {},
): Promise<CardOrder> {
  const offer = given ?? (await anOffer(shop, { stock: quantity, ...wish }))
  const buyer = await aUser(shop, { usd: fromBalance })
  await fillCart(shop, buyer, offer, quantity)
  const total = offer.priceUsd * quantity
  const pressed = await onFullShelf(shop, offer, () => pressPay(shop, buyer, total, { method, fromBalance, fee }))
  if (pressed.status !== 201) throw new Error(`not opened: ${pressed.text}`)
  return { buyer, offer, amount: total - fromBalance + fee, ...(await openedBy(shop, pressed)) }
}

/** Starts a store with two providers that seem real to it: roubles go to one, dollars to the other. */
export async function startVendorShop() {
  const [yookassa, stripe] = await Promise.all([startYookassa(), startStripe()])
  const shop = await startCardShop({
    PAYMENT_PROVIDERS: 'yookassa,stripe',
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_BASE_URL: yookassa.url,
    YOOKASSA_ADDRESSES: '127.0.0.1/32',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_BASE_URL: stripe.url,
  })
  const close = async () => {
    await shop.close()
    await Promise.all([yookassa.close(), stripe.close()])
  }
  return { ...shop, close, yookassa, stripe }
}

export async function openedBy(shop: TestShop, pressed: Answer) {
  const { pay_url: payUrl, order_id: orderId } = pressed.body
  const { key } = await shop.database.one<{ key: string }>(
    sql`SELECT key FROM payment WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1`,
  )
  return { orderId, payUrl, key, paymentId: payUrl.split('/').at(-1) as string }
}

export interface WebhookFields {
  eventId?: string
  status?: 'pending' | 'succeeded' | 'canceled'
  amount?: number
  currency?: string
  paymentId?: string
  key?: string
  secret?: string
  at?: Date
}

/** Makes the sandbox's webhook about the order's payment, or another that it would sign. */
export function toWebhook(order: Pick<CardOrder, 'paymentId' | 'key' | 'amount'>, fields: WebhookFields = {}) {
  const {
    eventId = randomUUID(),
    status = 'succeeded',
    currency = 'USD',
    secret = sandboxSecret,
    at = new Date(),
  } = fields
  const payment = {
    id: fields.paymentId ?? order.paymentId,
    key: fields.key ?? order.key,
    status,
    amount: fields.amount ?? order.amount,
    currency,
  }
  const body = JSON.stringify({ id: eventId, payment })
  return { body, signature: signWebhook(secret, body, at) }
}

export const sendWebhook = (shop: TestShop, { body, signature }: { body: string; signature: string }) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/payment/webhook/sandbox',
    headers: { 'content-type': 'application/json', 'sandbox-signature': signature },
    payload: body,
  })

export const tell = (shop: TestShop, order: Parameters<typeof toWebhook>[0], fields: WebhookFields = {}) =>
  sendWebhook(shop, toWebhook(order, fields))

export const act = (shop: TestShop, order: { paymentId: string }, action: string) =>
  shop.call('POST', `/sandbox/payments/${order.paymentId}/act`, { body: { action } })

/** Reads everything that could have moved: the order, its codes, the stock and the customer's money. */
export async function readState(shop: TestShop, { orderId, buyer, offer }: CardOrder) {
  const [receipt, balance, stock, reserved] = await Promise.all([
    shop.call('GET', `/orders/${orderId}`, { token: buyer.token }),
    shop.call('GET', '/balance', { token: buyer.token }),
    shop.database.one<{ available: number }>(
      sql`SELECT count(*)::int AS available FROM code WHERE offer_id = ${offer.id} AND status = 'available'`,
    ),
    shop.database.one<{ reserved: number }>(sql`
      SELECT count(*)::int AS reserved FROM code_hold JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ${orderId}`),
  ])
  const codes = receipt.body.items.flatMap((item: { code: string | null }) => item.code?.split('\n') ?? [])
  return {
    status: receipt.body.status,
    codes: codes.length,
    usd: balance.body.find((entry: { currency: string }) => entry.currency === 'usd').amount,
    available: stock.available,
    reserved: reserved.reserved,
  }
}

/** Reads the open alerts about the order's payments. */
export async function readAlerts(shop: TestShop, orderId: string): Promise<string[]> {
  const rows = await shop.database.rows<{ kind: string }>(
    sql`SELECT kind FROM alert WHERE details ->> 'order' = ${orderId} ORDER BY id`,
  )
  return rows.map((row) => row.kind)
}

/** Expires the order by moving its time into the past. */
export const passTime = (shop: TestShop, orderId: string) =>
  shop.database.run(sql`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId}`)

/** Expects every invariant to hold. */
export async function expectSound(shop: TestShop): Promise<void> {
  const broken = (await checkInvariants(shop.database)).filter((invariant) => invariant.offenders > 0)
  expect(broken).toEqual([])
}

/** Moves the order and the prices of its packages so many minutes into the past. */
export const passMinutes = (shop: TestShop, orderId: string, minutes: number) =>
  shop.database.transaction(async (tx) => {
    const earlier = (column: string) => sql`${raw(column)} = ${raw(column)} - make_interval(mins => ${minutes})`
    await tx.run(sql`UPDATE orders SET ${earlier('created_at')}, ${earlier('expires_at')} WHERE id = ${orderId}`)
    await tx.run(sql`UPDATE payment SET ${earlier('created_at')} WHERE order_id = ${orderId}`)
    // Prices are never changed afterwards, except by a test that moves the clock.
    await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
    await tx.run(sql`
      UPDATE offer_price SET ${earlier('valid_from')} FROM order_item
      WHERE order_item.order_id = ${orderId} AND order_item.offer_id = offer_price.offer_id
        AND version <= order_item.price_version`)
  })

/** Moves the rates of a new store a day into the past. */
export const settleRates = (shop: TestShop) =>
  shop.database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL session_replication_role = 'replica'`)
    await tx.run(sql`UPDATE currency_rate_history SET created_at = created_at - interval '1 day'`)
  })

/** Sets the rate of the dollar from now on. */
export const setRate = (shop: TestShop, currency: 'RUB' | 'EUR' | 'KZT' | 'UZS', rate: number) =>
  shop.database.transaction(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`SELECT id FROM currency_rate WHERE to_currency = ${currency}`)
    await putInForce(tx, id, { rate: String(rate), source: 'fixed', madeBy: null })
  })

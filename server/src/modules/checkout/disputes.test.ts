import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  expectSound,
  fillCart,
  onFullShelf,
  openedBy,
  payFromBalance,
  pressPay,
  startCardShop,
  startVendorShop,
} from '../../../test/card-orders.ts'
import { disputesAt } from '../../../test/doubles/stripe-disputes.ts'
import { anOffer, aUser, setFee, type TestUser } from '../../../test/factories.ts'
import { aFilling, allowFillings, readWallet } from '../../../test/fillings.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { anApp } from '../../../test/second-factor.ts'
import type { Answer, TestShop } from '../../../test/shop.ts'
import { aTopupOrder, readTopupState, scripted, shopFor, type TopupOrder, workOff } from '../../../test/topup-orders.ts'
import { sellTopups, steamTopup, tenDollars } from '../../../test/topups.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { unknown } from '../../platform/vendor/vendor.ts'
import { setCustomerFrozen } from '../accounts/change-user.ts'
import { lockCartVersion } from '../cart/cart.ts'

const readReceipt = (shop: TestShop, { orderId, buyer }: Pick<CardOrder, 'orderId' | 'buyer'>) =>
  shop.call('GET', `/orders/${orderId}`, { token: buyer.token })

async function aPaidOrder(shop: TestShop, wish: Parameters<typeof aCardOrder>[1] = {}): Promise<CardOrder> {
  const order = await aCardOrder(shop, wish)
  await act(shop, order, 'pay')
  return order
}

const giveMoney = (shop: TestShop, admin: TestUser, { id }: TestUser, balanceUsd: number) =>
  shop.call('PUT', `/admin/users/${id}/balance`, { token: admin.token, body: { balanceUsd, reason: 'a test' } })

const asAdmin = (shop: TestShop, admin: TestUser, path: string, body: object): Promise<Answer> =>
  shop.call('POST', path, { token: admin.token, body, headers: { 'idempotency-key': randomUUID() } })

const refund = (shop: TestShop, admin: TestUser, { orderId }: { orderId: string }, to = 'wallet') =>
  asAdmin(shop, admin, `/admin/orders/${orderId}/refund`, { to, reason: 'a test' })

const readDisputes = async (shop: TestShop, admin: TestUser, { orderId }: { orderId: string }) =>
  (await shop.call('GET', `/admin/orders/${orderId}`, { token: admin.token })).body.data.disputes

const alertsAbout = (shop: TestShop, orderId: string) =>
  shop.database.rows<{ kind: string; is_over: boolean; details: Record<string, unknown> }>(sql`
    SELECT kind, resolved_at IS NOT NULL AS is_over, details FROM alert
    WHERE details ->> 'order' = ${orderId} AND kind LIKE 'payment.%' ORDER BY id`)

/** The order's transfers besides its payment, as [kind, from, to, amount]. */
const movedBy = async (shop: TestShop, orderId: string) =>
  (
    await shop.database.rows<{ kind: string; from: string; to: string; amount: number }>(sql`
      SELECT transfer.kind, debit.kind AS from, credit.kind AS to, amount FROM transfer
      JOIN account AS debit ON debit.id = debit_account JOIN account AS credit ON credit.id = credit_account
      WHERE order_id = ${orderId} AND transfer.kind <> 'card' ORDER BY transfer.id`)
  ).map(({ kind, from, to, amount }) => [kind, from, to, amount])

const taken = (amount: number) => ['chargeback', 'disputes', 'card', amount]
const readRefunded = (amount: number) => ['chargeback_reversal', 'card', 'disputes', amount]

describe("disputes by Stripe's signed events", () => {
  let shop: Awaited<ReturnType<typeof startVendorShop>>
  let bank: ReturnType<typeof disputesAt>
  let admin: TestUser
  beforeAll(async () => {
    shop = await startVendorShop()
    bank = disputesAt(shop.stripe)
    admin = await aUser(shop, { role: 'admin' })
  })
  afterAll(() => shop.close())

  const send = async (signed: { body: Buffer; headers: Record<string, string> }) =>
    (
      await shop.app.inject({
        method: 'POST',
        url: '/api/payment/webhook/stripe',
        payload: signed.body,
        headers: { 'content-type': 'application/json', ...signed.headers },
      })
    ).statusCode

  async function paidAtStripe() {
    const offer = await anOffer(shop, { stock: 2 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, 2)
    const pressed = await onFullShelf(shop, offer, () => pressPay(shop, buyer, 200))
    const order = { buyer, offer, amount: 200, ...(await openedBy(shop, pressed)) }
    shop.stripe.pay(order.paymentId)
    expect(await send(shop.stripe.webhook(order.paymentId))).toBe(200)
    return order
  }

  test('a dispute marks its order, calls the operator with the due date, and books what was withdrawn once', async () => {
    const order = await paidAtStripe()
    const dispute = bank.open(order.paymentId)
    const created = bank.event('charge.dispute.created', dispute)
    const withdrawn = bank.event('charge.dispute.funds_withdrawn', dispute)
    for (const event of [created, withdrawn, created, withdrawn, created]) expect(await send(event)).toBe(200)

    const due_by = new Date(dispute.evidence_details.due_by * 1000).toISOString()
    expect(await readDisputes(shop, admin, order)).toMatchObject([
      {
        kind: 'dispute',
        status: 'open',
        funds: 'withdrawn',
        amount: 2,
        currency: 'USD',
        reason: 'fraudulent',
        due_by,
        is_holding: true,
        provider_dispute_id: dispute.id,
        history: [{ status: 'open', funds: 'withdrawn', made_by: null }],
      },
    ])
    expect(await alertsAbout(shop, order.orderId)).toEqual([
      {
        kind: 'payment.disputed',
        is_over: false,
        details: {
          order: order.orderId,
          provider: 'stripe',
          amount: 200,
          currency: 'USD',
          reason: 'fraudulent',
          due_by,
        },
      },
    ])
    expect(await movedBy(shop, order.orderId)).toEqual([taken(200)])
    for (const [path, id] of [
      ['/admin/orders?dispute=open', 'id'],
      ['/admin/payments?dispute=open', 'order_id'],
    ] as const) {
      const listed = (await shop.call('GET', path, { token: admin.token })).body.data
      expect(listed.find((row: Record<string, unknown>) => row[id] === order.orderId)).toMatchObject({
        dispute: 'open',
      })
    }
    expect((await shop.call('GET', '/admin/orders?dispute=won', { token: admin.token })).body.data).toEqual([])
    await expectSound(shop)
  })

  test.each(['read again', 'only signed'] as const)('won and lost are booked, whatever came first: %s', async (how) => {
    for (const ending of ['won', 'lost'] as const) {
      const order = await paidAtStripe()
      const opened = bank.open(order.paymentId)
      const created = bank.event('charge.dispute.created', opened)
      const withdrawn = bank.event('charge.dispute.funds_withdrawn', opened)
      const closed = bank.close(opened, ending)
      const over = bank.event('charge.dispute.closed', closed)
      const reinstated = bank.event('charge.dispute.funds_reinstated', closed)
      if (how === 'only signed') bank.forget(opened)
      const ends = ending === 'won' ? [reinstated, over] : [over]
      for (const event of [...ends, created, ...ends, withdrawn, created]) expect(await send(event)).toBe(200)

      expect(await readDisputes(shop, admin, order)).toMatchObject([{ status: ending, is_holding: ending === 'lost' }])
      expect(await movedBy(shop, order.orderId)).toEqual(
        ending === 'won' ? [taken(200), readRefunded(200)] : [taken(200)],
      )
    }
    await expectSound(shop)
  })

  test('20 events of one dispute at once are one dispute and one transfer', async () => {
    const order = await paidAtStripe()
    const dispute = bank.open(order.paymentId)
    const events = Array.from({ length: 20 }, (_, index) =>
      bank.event(index % 2 ? 'charge.dispute.created' : 'charge.dispute.funds_withdrawn', dispute),
    )
    expect(new Set(await Promise.all(events.map(send)))).toEqual(new Set([200]))
    expect(await readDisputes(shop, admin, order)).toHaveLength(1)
    expect(await movedBy(shop, order.orderId)).toEqual([taken(200)])
    expect(await alertsAbout(shop, order.orderId)).toHaveLength(1)
  })

  test('the end resolves the alert, and the buyer of a won dispute is free again', async () => {
    const order = await paidAtStripe()
    const opened = bank.open(order.paymentId)
    await send(bank.event('charge.dispute.created', opened))
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ code: null, held_codes: 2 })
    await send(bank.event('charge.dispute.closed', bank.close(opened, 'won')))
    expect(await alertsAbout(shop, order.orderId)).toMatchObject([{ kind: 'payment.disputed', is_over: true }])
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ held_codes: 0 })
    expect((await readReceipt(shop, order)).body.items[0].code.split('\n')).toHaveLength(2)
  })

  test('a fraud warning moves no money and holds the buyer until an operator clears it', async () => {
    const order = await paidAtStripe()
    expect(await send(bank.event('radar.early_fraud_warning.created', bank.warning(order.paymentId)))).toBe(200)
    expect(await alertsAbout(shop, order.orderId)).toMatchObject([
      { kind: 'payment.fraud_warning', is_over: false, details: { reason: 'made_with_stolen_card' } },
    ])
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ code: null, held_codes: 2 })
    expect(await movedBy(shop, order.orderId)).toEqual([])
    const [{ id }] = await readDisputes(shop, admin, order)
    expect((await asAdmin(shop, admin, `/admin/disputes/${id}/release`, { reason: 'known to us' })).status).toBe(200)
    expect(await readDisputes(shop, admin, order)).toMatchObject([
      { kind: 'fraud_warning', status: 'closed', is_holding: false, released_by: admin.nickname },
    ])
    expect(await alertsAbout(shop, order.orderId)).toMatchObject([{ is_over: true }])
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ held_codes: 0 })
    await expectSound(shop)
  })

  test('an inquiry moves no money, and may be answered by a refund', async () => {
    const order = await paidAtStripe()
    await send(bank.event('charge.dispute.created', bank.open(order.paymentId, { status: 'warning_needs_response' })))
    expect(await readDisputes(shop, admin, order)).toMatchObject([{ status: 'inquiry', funds: 'untouched' }])
    expect(await movedBy(shop, order.orderId)).toEqual([])
    expect((await refund(shop, admin, order)).status).toBe(200)
    await expectSound(shop)
  })

  test('a dispute that comes before the payment is settled settles it first', async () => {
    const offer = await anOffer(shop, { stock: 1 })
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer)
    const order = { buyer, ...(await openedBy(shop, await pressPay(shop, buyer, 100))) }
    shop.stripe.pay(order.paymentId)
    expect(await send(bank.event('charge.dispute.created', bank.open(order.paymentId)))).toBe(200)
    expect((await readReceipt(shop, order)).body).toMatchObject({ status: 'completed', items: [{ held_codes: 1 }] })
    await expectSound(shop)
  })

  test('while Stripe can not say which payment it is, it has to tell it again', async () => {
    const order = await paidAtStripe()
    const event = bank.event('charge.dispute.created', bank.open(order.paymentId))
    const key = shop.stripe.secretKey
    shop.stripe.secretKey = 'rotated'
    expect(await send(event)).toBe(503)
    shop.stripe.secretKey = key
    expect(await send(event)).toBe(200)
    expect(await readDisputes(shop, admin, order)).toHaveLength(1)
  })

  test('a dispute about nothing of the shop is told to the operator', async () => {
    const stranger = {
      ...bank.open((await paidAtStripe()).paymentId),
      id: 'du_stranger',
      payment_intent: 'pi_stranger',
    }
    expect(await send(bank.event('charge.dispute.created', stranger))).toBe(200)
    const { kinds } = await shop.database.one<{ kinds: number }>(
      sql`SELECT count(*)::int AS kinds FROM alert WHERE kind = 'payment.dispute_unknown' AND subject = 'stripe:du_stranger'`,
    )
    expect(kinds).toBe(1)
  })
})

describe('a disputed customer', () => {
  let shop: TestShop
  let admin: TestUser
  beforeAll(async () => {
    shop = await startCardShop()
    admin = await aUser(shop, { role: 'admin' })
    await sellTopups(shop)
  })
  afterAll(() => shop.close())

  /** The order becomes another customer's. */
  const moveTo = ({ orderId }: CardOrder, { id }: TestUser) =>
    shop.database.run(sql`UPDATE orders SET user_id = ${id}, cart_version = NULL WHERE id = ${orderId}`)

  const release = async (order: CardOrder) => {
    const [{ id }] = await readDisputes(shop, admin, order)
    expect((await asAdmin(shop, admin, `/admin/disputes/${id}/release`, { reason: 'a friend' })).status).toBe(200)
  }

  test('keeps what was shown, and sees no code that was not, of any order, until an operator releases them', async () => {
    const seen = await aPaidOrder(shop)
    const shown = (await readReceipt(shop, seen)).body.items[0].code
    const unseen = await aPaidOrder(shop)
    await moveTo(unseen, seen.buyer)
    const other = { ...unseen, buyer: seen.buyer }

    await act(shop, seen, 'dispute')
    expect((await readReceipt(shop, seen)).body.items[0]).toMatchObject({ code: shown, held_codes: 0 })
    expect((await readReceipt(shop, other)).body.items[0]).toMatchObject({ code: null, held_codes: 1 })
    const { reveals } = await shop.database.one<{ reveals: number }>(sql`
      SELECT count(*)::int AS reveals FROM code_reveal JOIN code_sale USING (code_id)
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${other.orderId}`)
    expect(reveals).toBe(0)

    await release(seen)
    expect((await readReceipt(shop, other)).body.items[0]).toMatchObject({ code: unseen.offer.codes[0], held_codes: 0 })
  })

  test('does not pay from the balance, while others and admins are not stopped', async () => {
    const order = await aPaidOrder(shop)
    await giveMoney(shop, admin, order.buyer, 50)
    const offer = await anOffer(shop, { stock: 3 })
    await fillCart(shop, order.buyer, offer)
    await act(shop, order, 'dispute')

    expect(await payFromBalance(shop, order.buyer)).toMatchObject({
      status: 409,
      body: { error: { code: 'BALANCE_ON_HOLD' } },
    })
    const topup = await shop.call('POST', '/orders/topup', {
      token: order.buyer.token,
      body: { topupData: steamTopup(tenDollars), currency: 'usd' },
    })
    expect(topup).toMatchObject({ status: 409, body: { error: { code: 'BALANCE_ON_HOLD' } } })
    const other = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, other, offer)
    expect((await payFromBalance(shop, other)).status).toBe(201)
    expect((await giveMoney(shop, admin, order.buyer, 0)).status).toBe(200)
    await giveMoney(shop, admin, order.buyer, 50)

    await release(order)
    expect((await payFromBalance(shop, order.buyer)).status).toBe(201)
    await expectSound(shop)
  })

  test('has bought a generated code that nobody can activate meanwhile', async () => {
    const { codes, productId, offerId, gameAmount } = await someGenerated(shop, admin, { count: 2 })
    const offer = { ...(await anOffer(shop)), id: offerId, productId, regionId: 0, gameAmount }
    const order = await aPaidOrder(shop, { offer })
    const code = (await readReceipt(shop, order)).body.items[0].code
    const activate = async (typed: string | undefined) =>
      shop.call('POST', '/freefire/activate-code', {
        token: (await aUser(shop)).token,
        body: { playerID: '5123456789', code: typed },
      })
    await act(shop, order, 'dispute')
    expect(await activate(code)).toMatchObject({ status: 409, body: { error: { code: 'CODE_ON_HOLD' } } })
    const unsold = codes.find(({ plain }) => plain !== code)
    expect((await activate(unsold?.plain)).status).toBe(200)
    await act(shop, order, 'win_dispute')
    expect((await activate(code)).status).toBe(200)
  })

  async function disputedWithTopup(): Promise<{ order: CardOrder; topup: TopupOrder }> {
    const order = await aPaidOrder(shop)
    await giveMoney(shop, admin, order.buyer, 1)
    const topup = await aTopupOrder(shop, { buyer: order.buyer })
    await act(shop, order, 'dispute')
    return { order, topup }
  }
  const readDelivery = async ({ orderId }: TopupOrder) =>
    (await shop.call('GET', `/admin/deliveries?search=${orderId}`, { token: admin.token })).body.data[0]

  test('gets nothing sent, and what was stopped goes on by itself once they are free', async () => {
    const { order, topup } = await disputedWithTopup()
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, topup)).toMatchObject({
      order: 'pending',
      units: ['queued (operator)'],
      executions: 0,
    })
    expect(await readDelivery(topup)).toMatchObject({ reason: 'buyer_held', next_at: null })
    await expectSound(shop)
    await act(shop, order, 'win_dispute')
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, topup)).toMatchObject({ order: 'completed', units: ['done'], executions: 1 })
  })

  test('gets it all the same when an operator decides so, and that alone', async () => {
    const { topup } = await disputedWithTopup()
    await workOff(shopFor(shop))
    const { id, version } = await readDelivery(topup)
    const retried = await shop.call('POST', `/admin/deliveries/${id}/retry`, {
      token: admin.token,
      body: { reason: 'a friend', version },
    })
    expect(retried.status).toBe(200)
    await workOff(shopFor(shop))
    expect(await readTopupState(shop, topup)).toMatchObject({ order: 'completed', executions: 1 })
  })

  test('gets nothing sent again that a supplier lost, and it is only looked up', async () => {
    const order = await aPaidOrder(shop)
    await giveMoney(shop, admin, order.buyer, 1)
    const topup = await aTopupOrder(shop, { buyer: order.buyer })
    let answer: ReturnType<typeof unknown> | { kind: 'rejected'; code: string } = unknown('network')
    const { supplier, calls } = scripted('fazercards', () => answer)
    await workOff(shopFor(shop, supplier))
    await act(shop, order, 'dispute')
    answer = { kind: 'rejected', code: 'not_found' }
    await shop.database.run(sql`
      UPDATE delivery SET next_at = now(), held_until = NULL FROM order_item
      WHERE order_item.id = order_item_id AND order_id = ${topup.orderId}`)
    await shop.database.run(sql`UPDATE supplier_order SET sent_at = now() - interval '1 hour'`)
    await workOff(shopFor(shop, supplier))
    expect(calls.filter((call) => call === 'order')).toHaveLength(1)
    expect(await readTopupState(shop, topup)).toMatchObject({ units: ['unknown (operator)'] })
  })

  test('is refused by a reveal, a payment and an activation that waited for the hold to be written', async () => {
    const { productId, offerId, gameAmount } = await someGenerated(shop, admin, { count: 2 })
    const offer = { ...(await anOffer(shop)), id: offerId, productId, regionId: 0, gameAmount }
    const order = await aPaidOrder(shop, { offer })
    const code = (await readReceipt(shop, order)).body.items[0].code
    const unseen = await aPaidOrder(shop)
    await moveTo(unseen, order.buyer)
    await giveMoney(shop, admin, order.buyer, 50)
    const wanted = await anOffer(shop, { stock: 2 })
    await fillCart(shop, order.buyer, wanted)
    const stranger = await aUser(shop)
    const calls = {
      reveal: () => readReceipt(shop, { ...unseen, buyer: order.buyer }),
      pay: () => payFromBalance(shop, order.buyer),
      buyNow: () =>
        shop.call('POST', '/payment/buy-now', {
          token: order.buyer.token,
          headers: { 'idempotency-key': 'frozen' },
          body: { offerId: wanted.id, quantity: 1, currency: 'USD', amount: wanted.priceUsd / 100 },
        }),
      activate: () =>
        shop.call('POST', '/freefire/activate-code', {
          token: stranger.token,
          body: { playerID: '5123456789', code },
        }),
    }
    const { answers } = await shop.database.transaction(async (tx) => {
      await lockCartVersion(tx, order.buyer.id)
      await setCustomerFrozen(tx, order.buyer.id, true)
      const answers = Promise.all([calls.reveal(), calls.pay(), calls.activate(), calls.buyNow()])
      await untilWaiting(shop.database, 4)
      return { answers }
    })
    const [revealed, paid, activated, bought] = await answers
    expect(revealed.body.items[0]).toMatchObject({ code: null, held_codes: 1 })
    expect(paid.body.error.code).toBe('BALANCE_ON_HOLD')
    expect(bought.body.error.code).toBe('BALANCE_ON_HOLD')
    expect(activated.body.error.code).toBe('CODE_ON_HOLD')
    await shop.database.run(sql`UPDATE users SET held_since = NULL WHERE id = ${order.buyer.id}`)
  })

  test('20 receipts, 20 payments and a dispute at once: nothing is shown or paid after the dispute', async () => {
    const order = await aPaidOrder(shop)
    await giveMoney(shop, admin, order.buyer, 50)
    await fillCart(shop, order.buyer, await anOffer(shop, { stock: 3 }))
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => readReceipt(shop, order)),
      ...Array.from({ length: 20 }, () => payFromBalance(shop, order.buyer)),
      act(shop, order, 'dispute'),
    ])
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
    const receipts = answers.slice(0, 20).map(({ body }) => body.items[0])
    const wasShown = receipts.some(({ code }) => code !== null)
    // Either the buyer saw it before, or never: what was shown once is not hidden again.
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ held_codes: wasShown ? 0 : 1 })
    await fillCart(shop, order.buyer, await anOffer(shop, { stock: 1 }))
    expect(await payFromBalance(shop, order.buyer)).toMatchObject({ body: { error: { code: 'BALANCE_ON_HOLD' } } })
    await expectSound(shop)
  })
})

describe('money that a bank took back', () => {
  let shop: TestShop
  let admin: TestUser
  beforeAll(async () => {
    shop = await startCardShop()
    admin = await aUser(shop, { role: 'admin' })
    await sellTopups(shop)
  })
  afterAll(() => shop.close())

  test.each(['wallet', 'card'])(
    'is not refunded on top to the %s, while it is disputed and when it is lost',
    async (to) => {
      const order = await aPaidOrder(shop)
      await act(shop, order, 'dispute')
      expect(await refund(shop, admin, order, to)).toMatchObject({
        status: 409,
        body: { error: { code: 'STATE_CONFLICT', details: { reason: 'disputed' } } },
      })
      await act(shop, order, 'lose_dispute')
      expect(await refund(shop, admin, order, to)).toMatchObject({
        status: 409,
        body: { error: { code: 'STATE_CONFLICT', details: { reason: 'charged_back' } } },
      })
      const byStatus = await shop.call('PUT', `/admin/orders/${order.orderId}/status`, {
        token: admin.token,
        body: { status: 'refunded', reason: 'a test' },
      })
      expect(byStatus.status).toBe(409)
      expect(await movedBy(shop, order.orderId)).toEqual([taken(100)])
      await expectSound(shop)
    },
  )

  test('can be refunded again once it is back', async () => {
    const order = await aPaidOrder(shop)
    for (const action of ['dispute', 'win_dispute']) await act(shop, order, action)
    expect((await refund(shop, admin, order, 'card')).status).toBe(200)
    await expectSound(shop)
  })

  test('after a refund is a loss of its own, which the operator is told of, and comes back as such', async () => {
    const order = await aPaidOrder(shop, { quantity: 2 })
    await refund(shop, admin, order)
    await act(shop, order, 'dispute')
    expect((await movedBy(shop, order.orderId)).slice(1)).toEqual([['chargeback', 'adjustments', 'card', 200]])
    expect((await alertsAbout(shop, order.orderId)).map(({ kind }) => kind)).toContain('payment.charged_back_twice')
    await expectSound(shop)
    await act(shop, order, 'win_dispute')
    expect((await movedBy(shop, order.orderId)).slice(2)).toEqual([['chargeback_reversal', 'card', 'adjustments', 200]])
    await expectSound(shop)
  })

  test('20 refunds and a lost dispute at once give the money back once', async () => {
    const order = await aPaidOrder(shop)
    await Promise.all([
      ...Array.from({ length: 20 }, () => refund(shop, admin, order)),
      act(shop, order, 'dispute').then(() => act(shop, order, 'lose_dispute')),
    ])
    await expectSound(shop)
  })

  test('ends an undelivered unit without a second refund', async () => {
    const buyer = await aUser(shop)
    const wanted = { amount: 10.3, currency: 'USD', type: 'order', topupData: steamTopup(tenDollars) }
    const created = await shop.call('POST', '/payment/create', { token: buyer.token, body: wanted })
    const order = { buyer, ...(await openedBy(shop, created)) }
    await act(shop, order, 'pay')
    await act(shop, order, 'dispute')
    await workOff(shopFor(shop))
    const list = await shop.call('GET', `/admin/deliveries?search=${order.orderId}`, { token: admin.token })
    const [{ id }] = list.body.data
    const refund = () => asAdmin(shop, admin, `/admin/deliveries/${id}/refund`, { reason: 'charged back' })
    expect(await refund()).toMatchObject({ status: 409, body: { error: { details: { reason: 'disputed' } } } })
    await act(shop, order, 'lose_dispute')
    expect((await refund()).status).toBe(200)
    expect(await movedBy(shop, order.orderId)).toEqual([taken(1_030)])
    expect((await readReceipt(shop, order)).body).toMatchObject({
      status: 'refunded',
      items: [{ refunded_to: null, refunded_units: 0 }],
    })
    await expectSound(shop)
  })
})

describe('disputes by hand', () => {
  let shop: TestShop
  let admin: TestUser
  beforeAll(async () => {
    shop = await startCardShop()
    admin = await aUser(shop, { role: 'admin' })
  })
  afterAll(() => shop.close())

  const charge = (order: { orderId: string }, body: object = {}) =>
    asAdmin(shop, admin, `/admin/orders/${order.orderId}/dispute`, {
      reason: 'a letter of the bank',
      reference: randomUUID(),
      status: 'lost',
      ...body,
    })
  const decide = (id: number, status: string) =>
    asAdmin(shop, admin, `/admin/disputes/${id}/decide`, { status, reason: 'a letter of the bank' })
  const audited = async (orderId: string) =>
    (
      await shop.database.rows<{ action: string }>(
        sql`SELECT action FROM audit_entry WHERE subject = ${`order:${orderId}`} ORDER BY id`,
      )
    ).map(({ action }) => action)

  test('"was charged back" books and holds as a lost dispute does, and can be won after all', async () => {
    const order = await aPaidOrder(shop)
    const made = await charge(order, { reference: 'bank-17' })
    expect(made).toMatchObject({
      status: 201,
      body: { data: { status: 'lost', amount: 1, made_by: admin.nickname, provider_dispute_id: 'bank-17' } },
    })
    expect(await movedBy(shop, order.orderId)).toEqual([taken(100)])
    // The admin who recorded it knows already, so there is no alert.
    expect(await alertsAbout(shop, order.orderId)).toEqual([])
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ code: null, held_codes: 1 })
    expect((await charge(order, { reference: 'bank-17' })).body.error).toMatchObject({ code: 'STATE_CONFLICT' })
    expect((await refund(shop, admin, order)).status).toBe(409)

    expect((await decide(made.body.data.id, 'won')).status).toBe(200)
    expect((await decide(made.body.data.id, 'won')).status).toBe(409)
    expect(await movedBy(shop, order.orderId)).toEqual([taken(100), readRefunded(100)])
    expect((await readReceipt(shop, order)).body.items[0]).toMatchObject({ held_codes: 0 })
    expect(await audited(order.orderId)).toEqual(['dispute.open', 'dispute.decide'])
    await expectSound(shop)
  })

  test('an open one moves no money before it is decided', async () => {
    const order = await aPaidOrder(shop, { quantity: 2 })
    const due_by = '2026-12-24T00:00:00.000Z'
    const made = await charge(order, { status: 'open', amount: 0.5, due_by })
    expect(made.body.data).toMatchObject({ status: 'open', amount: 0.5, due_by })
    expect(await alertsAbout(shop, order.orderId)).toMatchObject([{ kind: 'payment.disputed', is_over: false }])
    expect(await movedBy(shop, order.orderId)).toEqual([])
    expect((await decide(made.body.data.id, 'lost')).status).toBe(200)
    expect(await movedBy(shop, order.orderId)).toEqual([taken(50)])
    expect(await alertsAbout(shop, order.orderId)).toMatchObject([{ is_over: true }])
    await expectSound(shop)
  })

  test('is refused for what was not paid by card, for more than was paid, and to an admin without a second factor', async () => {
    const order = await aPaidOrder(shop)
    expect((await charge(order, { amount: 1.01 })).body.error).toMatchObject({ code: 'INVALID_AMOUNT' })
    const buyer = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, buyer, await anOffer(shop, { stock: 1 }))
    const paid = await payFromBalance(shop, buyer)
    expect((await charge({ orderId: paid.body.order.id })).body.error).toMatchObject({
      code: 'STATE_CONFLICT',
      details: { reason: 'not_paid_by_card', to: 'not_paid_by_card' },
    })
    expect((await charge({ orderId: '0000000000' })).status).toBe(404)

    const careful = await aUser(shop, { role: 'admin' })
    await anApp(shop, careful.id)
    for (const path of [
      `/admin/orders/${order.orderId}/dispute`,
      '/admin/disputes/1/decide',
      '/admin/disputes/1/release',
    ]) {
      expect((await asAdmin(shop, careful, path, {})).body.error).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
    }
  })

  test('20 presses with one reference are one chargeback', async () => {
    const order = await aPaidOrder(shop)
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(order, { reference: 'bank-20' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await movedBy(shop, order.orderId)).toEqual([taken(100)])
  })

  test('the evidence is one file with the whole story, without a plain code or markup of strangers', async () => {
    const order = await aPaidOrder(shop)
    const code = (await readReceipt(shop, order)).body.items[0].code
    const path = `/orders/${order.orderId}/share`
    const { link, pin } = (await shop.call('POST', path, { token: order.buyer.token, body: { hours: 1 } })).body
    await shop.call('POST', '/shared-receipts', { body: { token: link.split('#')[1], pin } })
    await shop.database.run(sql`UPDATE users SET nickname = '<b>"bold"</b>' WHERE id = ${order.buyer.id}`)
    const made = await charge(order, { reason: 'not <i>mine</i>', reference: 'bank-html' })
    const evidence = `/admin/disputes/${made.body.data.id}/evidence`
    const { name, html } = (await asAdmin(shop, admin, evidence, {})).body.data
    expect(name).toBe(`evidence-${order.orderId}-${made.body.data.id}.html`)
    for (const fact of [
      order.orderId,
      order.paymentId,
      order.key,
      'bank-html',
      '&lt;b&gt;&quot;bold&quot;&lt;/b&gt;',
      'not &lt;i&gt;mine&lt;/i&gt;',
      'codes_revealed',
      'Open the game and enter the code.',
    ]) {
      expect(html).toContain(fact)
    }
    // Once where the code was shown, and once in the history.
    expect(html.split('по ссылке, которую дал покупатель')).toHaveLength(3)
    expect(html).not.toContain(code)
    expect(html).not.toMatch(/<script|<b>|<i>|src=|href=/)
    expect(await audited(order.orderId)).toContain('dispute.evidence')
    for (const language of ['ru', 'uz']) {
      const other = await shop.call('POST', evidence, {
        token: admin.token,
        body: {},
        headers: { 'accept-language': language },
      })
      expect(other.body.data.html).toContain(`<html lang="${language}">`)
    }
  })
})

describe('a chargeback and a refund in the cabinet', () => {
  let shop: TestShop
  let admin: TestUser
  beforeAll(async () => {
    shop = await startCardShop()
    admin = await aUser(shop, { role: 'admin' })
    await allowFillings(shop)
  })
  afterAll(() => shop.close())

  const goods = { quantity: 2, priceUsd: 500 }
  const kinds = [
    { name: 'paid by card', wish: goods, card: 1_000, paid: 1_000 },
    { name: 'that the balance paid a part of', wish: { ...goods, fromBalance: 400 }, card: 600, paid: 1_000 },
    { name: 'with a fee', wish: { ...goods, fee: 45 }, card: 1_045, paid: 1_045 },
  ]
  async function aPaidOne({ fee = 0, ...wish }: { fee?: number; quantity: number; priceUsd: number }) {
    await setFee(shop, 'sandbox', { usd: fee })
    return aPaidOrder(shop, { ...wish, fee })
  }
  async function chargeBack(order: { orderId: string }, status: 'lost' | 'open' = 'lost'): Promise<number> {
    const body = { reason: 'a letter of the bank', reference: randomUUID(), status }
    return (await asAdmin(shop, admin, `/admin/orders/${order.orderId}/dispute`, body)).body.data.id
  }
  const decide = (id: number, status: string) =>
    asAdmin(shop, admin, `/admin/disputes/${id}/decide`, { status, reason: 'a letter of the bank' })
  const toSplit = (id: number) =>
    shop.database.one<{ covered: number; excess: number }>(sql`SELECT covered, excess FROM dispute WHERE id = ${id}`)
  const readDetails = async (kind: string, { orderId }: { orderId: string }) =>
    (
      await shop.database.rows<{ details: Record<string, unknown> }>(
        sql`SELECT details FROM alert WHERE kind = ${kind} AND details ->> 'order' = ${orderId} ORDER BY id`,
      )
    ).map(({ details }) => details)
  const readStatus = async (order: CardOrder) => (await readReceipt(shop, order)).body.status
  const inUsd = (amount: number) => ({ amount, currency: 'USD' })

  test.each(kinds)('the refund after it, of an order $name, is told as too much', async ({ wish, card, paid }) => {
    const order = await aPaidOne(wish)
    const id = await chargeBack(order)
    expect(await toSplit(id)).toEqual({ covered: card, excess: 0 })
    await act(shop, order, 'refund_outside')
    expect(await readDetails('refund.outside', order)).toMatchObject([
      { amount: card, too_much: inUsd(2 * card - paid) },
    ])
    expect(await readStatus(order)).toBe('partially_refunded')
    await expectSound(shop)
    expect((await refund(shop, admin, order)).status).toBe(409)

    // What the bank returns makes the refund in the cabinet the order's.
    for (const ending of ['won', 'lost', 'won']) {
      expect((await decide(id, ending)).status).toBe(200)
      expect(await readStatus(order)).toBe(card === paid ? 'refunded' : 'partially_refunded')
      await expectSound(shop)
    }
    expect((await refund(shop, admin, order)).status).toBe(card === paid ? 409 : 200)
    expect(await readWallet(shop, order.buyer)).toBe(paid - card)
    await expectSound(shop)
  })

  test.each(kinds)('after a refund, of an order $name, it covers what is left of it', async ({ wish, card, paid }) => {
    for (const [action, back] of [
      ['refund_outside_part', Math.floor(card / 2)],
      ['refund_outside', card],
    ] as const) {
      const order = await aPaidOne(wish)
      await act(shop, order, action)
      const id = await chargeBack(order)
      const excess = Math.max(0, card + back - paid)
      expect(await toSplit(id)).toEqual({ covered: card - excess, excess })
      expect(await readDetails('payment.charged_back_twice', order)).toMatchObject(
        excess === 0 ? [] : [{ amount: excess }],
      )
      await expectSound(shop)
      for (const ending of ['won', 'lost', 'won']) {
        expect((await decide(id, ending)).status).toBe(200)
        await expectSound(shop)
      }
    }
  })

  test('a refund in parts is too much only beyond what the bank left', async () => {
    const order = await aPaidOne(goods)
    const body = { reason: 'a letter', reference: randomUUID(), status: 'lost', amount: 4 }
    await asAdmin(shop, admin, `/admin/orders/${order.orderId}/dispute`, body)
    await act(shop, order, 'refund_outside_part')
    await act(shop, order, 'refund_outside')
    const told = await readDetails('refund.outside', order)
    expect(told.map(({ amount, too_much }) => [amount, too_much])).toEqual([
      [500, undefined],
      [500, inUsd(400)],
    ])
    expect(await readStatus(order)).toBe('partially_refunded')
    await expectSound(shop)
  })

  test('one that was pending counts once it is made, and not when it fails', async () => {
    for (const [ending, tooMuch] of [
      ['refunds_succeed', [{ too_much: inUsd(1_000) }]],
      ['refunds_fail', []],
    ] as const) {
      const order = await aPaidOne(goods)
      await act(shop, order, 'refund_outside_pending')
      expect(await toSplit(await chargeBack(order))).toEqual({ covered: 1_000, excess: 0 })
      await act(shop, order, ending)
      expect(await readDetails('refund.outside', order)).toMatchObject(tooMuch)
      await expectSound(shop)
    }
  })

  test('money that was returned, refunded since and taken once more is split again', async () => {
    const order = await aPaidOne(goods)
    const id = await chargeBack(order)
    await decide(id, 'won')
    expect((await refund(shop, admin, order)).status).toBe(200)
    await decide(id, 'lost')
    expect(await toSplit(id)).toEqual({ covered: 0, excess: 1_000 })
    expect(await readDetails('payment.charged_back_twice', order)).toMatchObject([{ amount: 1_000 }])
    await expectSound(shop)
    await decide(id, 'won')
    await expectSound(shop)
  })

  test('of a filling take what is in the wallet once, whichever comes first', async () => {
    await setFee(shop, 'sandbox', { usd: 45 })
    for (const isFirst of [true, false]) {
      const filling = await aFilling(shop, { fee: 45 })
      await act(shop, filling, 'pay')
      if (isFirst) await chargeBack(filling)
      await act(shop, filling, 'refund_outside')
      if (!isFirst) await chargeBack(filling)
      expect(await readWallet(shop, filling.buyer)).toBe(0)
      expect(await readDetails('payment.charged_back_twice', filling)).toHaveLength(1)
      await expectSound(shop)
    }
  })
})

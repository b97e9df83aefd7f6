import { describe, expect, test } from 'vitest'
import { aCardOrder, fillCart, payFromBalance, readState, tell, useCardShop } from '../../../test/card-orders.ts'
import { aCrowd, anOffer, aUser } from '../../../test/factories.ts'
import type { Answer } from '../../../test/shop.ts'
import { useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useCardShop()
const admin = useUser(shop, { role: 'admin' })

const reason = 'the customer wrote at night'
const by = (method: 'POST' | 'PUT', path: string, body: object = {}) =>
  shop.call(method, `/admin${path}`, { token: admin.token, body: { reason, ...body } })
const said = ({ status, body }: Answer) => [status, body?.error?.code]
const toStatuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted()
const readAudit = (orderId: string) =>
  shop.database.rows<{ action: string; after: Record<string, unknown> }>(
    sql`SELECT action, after FROM audit_entry WHERE subject = ${`order:${orderId}`} ORDER BY id`,
  )
const readPaymentId = async (orderId: string) =>
  (await shop.database.one<{ id: number }>(sql`SELECT max(id) AS id FROM payment WHERE order_id = ${orderId}`)).id

describe('replacing a bad code', () => {
  /** Two codes bought, so many left on the shelf. */
  async function bought(left: number) {
    const offer = await anOffer(shop, { stock: 2 + left })
    const buyer = await aUser(shop, { usd: 1_000 })
    await fillCart(shop, buyer, offer, 2)
    const { id } = (await payFromBalance(shop, buyer)).body.order
    const { data } = (await shop.call('GET', `/admin/orders/${id}`, { token: admin.token })).body
    const readCodes = async (): Promise<string[]> =>
      (await shop.call('GET', `/orders/${id}`, { token: buyer.token })).body.items[0].code.split('\n')
    const replace = (codeId: number) => by('POST', `/orders/${id}/codes/${codeId}/replace`)
    return {
      id,
      offer,
      readCodes,
      replace,
      codeIds: data.items[0].codes.map((code: { id: number }) => code.id) as number[],
    }
  }

  test('gives the buyer another one, and never sells the bad one again', async () => {
    const { id, offer, readCodes, replace, codeIds } = await bought(1)
    const [bad] = codeIds
    const answer = await replace(bad as number)
    expect(answer.body.data).toEqual({
      id,
      item_id: expect.any(Number),
      code_id: expect.any(Number),
      replaced_code_id: bad,
    })
    expect(await readCodes()).toEqual([offer.codes[1], offer.codes[2]])
    const { status } = await shop.database.one<{ status: string }>(sql`SELECT status FROM code WHERE id = ${bad}`)
    expect(status).toBe('quarantined')
    expect(await readAudit(id)).toMatchObject([{ action: 'order.replace_code', after: { reason } }])
    expect(said(await replace(bad as number))).toEqual([404, 'CODE_NOT_FOUND'])
  })

  test('of 20 who do it at the same moment one succeeds', async () => {
    const { readCodes, replace, codeIds } = await bought(20)
    const answers = await Promise.all(Array.from({ length: 20 }, () => replace(codeIds[0] as number)))
    expect(toStatuses(answers)).toEqual([200, ...Array(19).fill(404)])
    expect(await readCodes()).toHaveLength(2)
  })

  test('is refused when the shelf is empty, and leaves the buyer the old one', async () => {
    const { offer, readCodes, replace, codeIds } = await bought(0)
    expect(said(await replace(codeIds[0] as number))).toEqual([409, 'OUT_OF_STOCK'])
    expect(await readCodes()).toEqual(offer.codes)
  })

  test('is refused for the code of another order', async () => {
    const [one, other] = [await bought(1), await bought(1)]
    expect(said(await one.replace(other.codeIds[0] as number))).toEqual([404, 'CODE_NOT_FOUND'])
  })
})

describe('setting a status', () => {
  test('ends an unpaid order, whose codes are for others again', async () => {
    const order = await aCardOrder(shop)
    expect((await by('PUT', `/orders/${order.orderId}/status`, { status: 'expired' })).body.data).toEqual({
      id: order.orderId,
      status: 'expired',
    })
    expect(await readState(shop, order)).toMatchObject({ status: 'expired', available: 1, reserved: 0 })
    expect(await readAudit(order.orderId)).toMatchObject([
      { action: 'order.status', after: { status: 'expired', reason } },
    ])
  })

  test('gives a paid order back to the wallet', async () => {
    const order = await aCardOrder(shop)
    await tell(shop, order)
    expect((await by('PUT', `/orders/${order.orderId}/status`, { status: 'refunded' })).body.data.status).toBe(
      'refunded',
    )
    expect(await readState(shop, order)).toMatchObject({ status: 'refunded', usd: 1 })
  })

  test('goes along the table of states only', async () => {
    const [unpaid, paid] = [await aCardOrder(shop), await aCardOrder(shop)]
    await tell(shop, paid)
    expect(said(await by('PUT', `/orders/${unpaid.orderId}/status`, { status: 'refunded' }))).toEqual([
      409,
      'STATE_CONFLICT',
    ])
    expect(said(await by('PUT', `/orders/${paid.orderId}/status`, { status: 'expired' }))).toEqual([
      409,
      'STATE_CONFLICT',
    ])
    for (const { orderId } of [unpaid, paid])
      expect((await by('PUT', `/orders/${orderId}/status`, { status: 'completed' })).body.error.details).toMatchObject({
        reason: 'move_not_allowed',
        wanted: 'completed',
      })
    expect(said(await by('PUT', `/orders/${paid.orderId}/status`, { status: 'pending' }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ])
    expect(said(await by('PUT', '/orders/0000000000/status', { status: 'expired' }))).toEqual([404, 'NOT_FOUND'])
  })
})

describe('confirming a payment by hand', () => {
  const confirm = async (orderId: string, body: object = {}) =>
    by('POST', `/payments/${await readPaymentId(orderId)}/confirm`, body)

  test('delivers the order, and the notice that comes later changes nothing', async () => {
    const order = await aCardOrder(shop)
    const { data } = (await confirm(order.orderId)).body
    expect(data).toMatchObject({ status: 'succeeded', settled_to: 'order', order_status: 'completed', paid_amount: 1 })
    await tell(shop, order)
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    expect(await readAudit(order.orderId)).toMatchObject([{ action: 'payment.confirm', after: { reason } }])
  })

  test('happens once, however many do it at the same moment', async () => {
    const order = await aCardOrder(shop)
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(order.orderId)))
    expect(toStatuses(answers)).toEqual([200, ...Array(19).fill(409)])
    expect(await readState(shop, order)).toMatchObject({ status: 'completed', codes: 1, usd: 0 })
    expect(await readAudit(order.orderId)).toHaveLength(1)
  })

  test('of an order that is no more, with its codes sold to others, fills the wallet', async () => {
    const order = await aCardOrder(shop)
    await by('PUT', `/orders/${order.orderId}/status`, { status: 'expired' })
    const other = await aCardOrder(shop, { offer: order.offer })
    expect((await confirm(order.orderId)).body.data).toMatchObject({ settled_to: 'wallet', order_status: 'expired' })
    expect(await readState(shop, order)).toMatchObject({ usd: 1, codes: 0 })
    expect(await readState(shop, other)).toMatchObject({ reserved: 1 })
  })

  test('needs the name of a payment that the store never opened, and refuses that of another', async () => {
    const [order, other] = [await aCardOrder(shop), await aCardOrder(shop)]
    const forget = sql`UPDATE payment SET status = 'opening', provider_payment_id = NULL, pay_url = NULL
      WHERE order_id = ${order.orderId}`
    await shop.database.run(forget)
    expect((await confirm(order.orderId)).body.error.details).toEqual({ reference: 'required' })
    const taken = await confirm(order.orderId, { reference: other.paymentId })
    expect([said(taken), taken.body.error.details]).toEqual([
      [409, 'STATE_CONFLICT'],
      { reason: 'reference_of_another_payment', reference: 'of_another_payment' },
    ])
    expect((await readState(shop, other)).status).toBe('awaiting_payment')
    expect((await confirm(order.orderId, { reference: 'bank-1' })).body.data).toMatchObject({
      provider_payment_id: 'bank-1',
      settled_to: 'order',
    })
  })
})

test('payments are listed with their orders and buyers', async () => {
  const order = await aCardOrder(shop)
  await tell(shop, order)
  const list = (query: string) => shop.call('GET', `/admin/payments?${query}`, { token: admin.token })
  const expected = {
    order_id: order.orderId,
    nickname: order.buyer.nickname,
    provider: 'sandbox',
    provider_payment_id: order.paymentId,
    amount: 1,
    status: 'succeeded',
    paid_amount: 1,
    settled_at: expect.any(String),
  }
  for (const search of [order.orderId.toLowerCase(), order.paymentId, order.buyer.nickname.toUpperCase()]) {
    const { body } = await list(`search=${search}&status=succeeded&provider=sandbox`)
    expect(body).toMatchObject({ data: [expected], total: 1 })
  }
  expect((await list(`search=${order.orderId}&status=canceled`)).body.total).toBe(0)
  const known = (await list('search=user_')).body
  await aCrowd(shop)
  expect((await list('search=USER_')).body).toEqual(known)
  expect((await list('search=user%')).body.total).toBe(0)
})

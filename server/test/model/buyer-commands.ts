import { randomUUID } from 'node:crypto'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { TestUser } from '../factories.ts'
import { type Buyer, count, isOnSale, listRefusals, type Model, place, placeNow, type Shelf } from './model.ts'
import { call, chosen, command, currency, type Real, readRefusal, which } from './real.ts'

const anybody = ({ buyers }: Model) => buyers.length > 0
const anyLine = ({ buyers }: Model) => buyers.some((buyer) => buyer.lines.length > 0)
const mostBuyers = 5
const password = 'eight-or-8'
let registered = 0

export async function register(model: Model, real: Real): Promise<Buyer> {
  const nickname = `model_${++registered}`
  const answer = await call(real, 'POST', '/auth/register', { body: { nickname, password } })
  expect(answer.status).toBe(201)
  const user: TestUser = { id: answer.body.userId, nickname, token: answer.body.token }
  const buyer: Buyer = { user, money: { USD: 0, RUB: 0 }, lines: [], ofCart: undefined }
  model.buyers.push(buyer)
  return buyer
}

/** Blocks the buyer while something happens, and logs them in again. */
export async function whileBlocked(real: Real, buyer: Buyer, happens: () => Promise<void>): Promise<void> {
  const { id, nickname } = buyer.user
  const setBlocked = async (blocked: boolean) => {
    const answer = await call(real, 'PUT', `/admin/users/${id}/blocked`, { token: real.admin.token, body: { blocked } })
    expect(answer.status).toBe(200)
  }
  await setBlocked(true)
  await happens()
  await setBlocked(false)
  const { body } = await call(real, 'POST', '/auth/login', { body: { nickname, password } })
  buyer.user = { id, nickname, token: body.token }
}

const toCart = ({ offer, price }: Shelf, quantity: number) => ({
  productId: offer.productId,
  gameAmount: offer.gameAmount,
  priceUsd: toMajor(price.USD),
  priceRub: toMajor(price.RUB),
  gameCurrency: 'coins',
  quantity,
  regionId: 0,
})

const inStock = (shelf: Shelf) => (isOnSale(shelf) ? Math.min(count(shelf, 'available'), LIMITS.quantityMax) : 0)

/** The package that replaced a deleted one. */
export const inForce = ({ shelves }: Model, shelf: Shelf): Shelf =>
  shelves.find(({ offer, deleted }) => offer.productId === shelf.offer.productId && deleted === undefined) ?? shelf

async function add(model: Model, real: Real, values: { buyer: number; shelf: number; quantity: number }) {
  const buyer = chosen(model.buyers, values.buyer)
  const shelf = inForce(model, chosen(model.shelves, values.shelf))
  const line = buyer.lines.find((one) => one.shelf === shelf)
  const quantity = (line?.quantity ?? 0) + values.quantity
  const body = toCart(shelf, values.quantity)
  const answer = await call(real, 'POST', '/cart/add', { token: buyer.user.token, body })
  if (!isOnSale(shelf)) return expect(readRefusal(answer)).toBe('OFFER_NOT_FOUND')
  if (quantity > inStock(shelf)) return expect(readRefusal(answer)).toBe('OUT_OF_STOCK')
  expect(answer.status).toBe(201)
  buyer.ofCart = undefined
  if (line) line.quantity = quantity
  else buyer.lines.push({ itemId: answer.body.data.id, shelf, quantity, seen: { ...shelf.price } })
}

async function change(model: Model, real: Real, values: { line: number; quantity: number }) {
  const buyer = chosen(
    model.buyers.filter((one) => one.lines.length > 0),
    values.line,
  )
  const line = chosen(buyer.lines, values.line)
  const { token } = buyer.user
  if (values.quantity === 0) {
    expect((await call(real, 'DELETE', `/cart/remove/${line.itemId}`, { token })).status).toBe(200)
    buyer.lines = buyer.lines.filter((one) => one !== line)
  } else {
    const body = { quantity: values.quantity }
    const answer = await call(real, 'PUT', `/cart/update-quantity/${line.itemId}`, { token, body })
    if (values.quantity > inStock(line.shelf)) return expect(readRefusal(answer)).toBe('OUT_OF_STOCK')
    expect(answer.status).toBe(200)
    line.quantity = values.quantity
  }
  buyer.ofCart = undefined
}

async function look(model: Model, real: Real, values: { buyer: number }) {
  const buyer = chosen(model.buyers, values.buyer)
  const { body } = await call(real, 'GET', '/cart', { token: buyer.user.token })
  expect(body.data).toMatchObject(
    buyer.lines.map(({ itemId, shelf, quantity }) => ({
      id: itemId,
      quantity,
      price_usd: toMajor(shelf.price.USD),
      price_rub: toMajor(shelf.price.RUB),
      available_count: isOnSale(shelf) ? count(shelf, 'available') : 0,
    })),
  )
  for (const line of buyer.lines) line.seen = { ...line.shelf.price }
}

export interface Press {
  buyer: number
  currency: 'USD' | 'RUB'
  /** Simultaneous presses, under one key or under as many. */
  presses: number
  isOneKey: boolean
}

/** Presses a customer's button several times at once; all presses have one outcome. */
export async function pressAtOnce(real: Real, path: string, { token }: TestUser, body: unknown, press: Press) {
  const shared = randomUUID()
  const answers = await Promise.all(
    Array.from({ length: press.presses }, () =>
      call(real, 'POST', path, {
        token,
        body,
        headers: { 'idempotency-key': press.isOneKey ? shared : randomUUID() },
      }),
    ),
  )
  return answers
}

async function buy(model: Model, real: Real, values: Press) {
  const buyer = chosen(model.buyers, values.buyer)
  const answers = await pressAtOnce(real, '/payment/from-balance', buyer.user, { currency: values.currency }, values)
  const done = buyer.ofCart
  const isBought = done !== undefined && done.status !== 'awaiting_payment' && done.status !== 'expired'
  const refusals = isBought ? [] : listRefusals(model, buyer, { currency: values.currency, from: 'balance' })
  for (const answer of answers) {
    if (refusals.length > 0) expect(refusals).toContain(readRefusal(answer))
    else expect([answer.status, answer.body.order.id]).toEqual([201, isBought ? done.id : answers[0]?.body.order.id])
  }
  if (isBought || refusals.length > 0) return
  place(model, buyer, { id: answers[0]?.body.order.id, currency: values.currency, payments: [] })
}

async function buyNow(model: Model, real: Real, values: Press & { shelf: number; quantity: number; isStale: boolean }) {
  const buyer = chosen(model.buyers, values.buyer)
  const shelf = inForce(model, chosen(model.shelves, values.shelf))
  const { currency, quantity } = values
  const total = shelf.price[currency] * quantity
  const body = { offerId: shelf.offer.id, quantity, currency, amount: toMajor(total + (values.isStale ? 1 : 0)) }
  const press = { ...values, isOneKey: true }
  const answers = await pressAtOnce(real, '/payment/buy-now', buyer.user, body, press)
  const refusals = [
    ...(buyer.money[currency] < total ? ['INSUFFICIENT_BALANCE'] : []),
    ...(count(shelf, 'available') < quantity ? ['OUT_OF_STOCK'] : []),
  ]
  const expected = isOnSale(shelf) ? (values.isStale ? ['PRICE_CHANGED'] : refusals) : ['OFFER_NOT_FOUND']
  for (const answer of answers) {
    if (expected.length > 0) expect(expected).toContain(readRefusal(answer))
    else expect([answer.status, answer.text]).toEqual([201, answers[0]?.text])
  }
  if (expected.length > 0) return
  placeNow(model, buyer, { line: { shelf, quantity }, id: answers[0]?.body.order.id, currency })
}

export const press = fc.record<Press>({
  buyer: which,
  currency,
  presses: fc.integer({ min: 1, max: 3 }),
  isOneKey: fc.boolean(),
})
const quantity = fc.integer({ min: 1, max: 4 })

export const buyerCommands = [
  command(
    'register',
    fc.constant({}),
    ({ buyers }) => buyers.length < mostBuyers,
    async (model, real) => void (await register(model, real)),
  ),
  command('add', fc.record({ buyer: which, shelf: which, quantity }), anybody, add),
  command('add', fc.record({ buyer: which, shelf: which, quantity }), anybody, add),
  command('change', fc.record({ line: which, quantity: fc.integer({ min: 0, max: 6 }) }), anyLine, change),
  command('look', fc.record({ buyer: which }), anybody, look),
  command('buy', press, anybody, buy),
  command('buy', press, anyLine, buy),
  command(
    'buy now',
    fc
      .tuple(press, fc.record({ shelf: which, quantity, isStale: fc.constantFrom(false, false, false, true) }))
      .map(([pressed, wanted]) => ({ ...pressed, ...wanted })),
    anybody,
    buyNow,
  ),
]

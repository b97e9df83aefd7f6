import { toMajor } from '@olmos/contract/minor-units'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from '../../src/platform/database/queries.ts'
import { setRate } from '../card-orders.ts'
import type { Answer } from '../shop.ts'
import { freefireTopup, steamTopup } from '../topups.ts'
import { type Press, press, pressAtOnce } from './buyer-commands.ts'
import {
  type Buyer,
  expire,
  isResumable,
  isTopupSold,
  type Model,
  type Order,
  type SteamWish,
  type TopupWish,
  topupPrice,
} from './model.ts'
import { newestPayment } from './payment-commands.ts'
import { chosen, command, type Real, readRefusal } from './real.ts'

const ofSteam: readonly SteamWish[] = [
  { login: 'gabe', amount: 1 },
  { login: 'gabe', amount: 2 },
  { login: 'alyx', amount: 1 },
]

/** Lists what can be requested, without denominations another command made. */
const toWishes = ({ denominations }: Model): readonly TopupWish[] => [
  ...ofSteam,
  ...denominations.filter(({ isDeleted }) => !isDeleted),
]

interface TopupPress extends Press {
  wish: number
  confirmRepeat: boolean
  /** A page that was left open shows the price of an order that waits for its payment. */
  isOldPage: boolean
}

/** Formats it for the request. */
function toData(model: Model, wish: TopupWish) {
  const { USD, RUB } = topupPrice(model, wish)
  if ('login' in wish) return steamTopup({ ...wish, price_usd: toMajor(USD), price_rub: toMajor(RUB) })
  const { id, gameAmount, item } = wish
  return freefireTopup({ id, gameAmount, itemId: item, priceUsd: USD, priceRub: RUB })
}

const isUnpaid = ({ status }: Order) => status === 'awaiting_payment' || status === 'expired'

/** Finds the buyer's orders of this top-up. A run is shorter than the minute in which an equal one is a repetition. */
const equalTo = ({ orders }: Model, buyer: Buyer, wish: TopupWish) =>
  orders.filter((order) => order.buyer === buyer && order.topup === wish && order.isOfSomeCart)

function placeTopup(
  model: Model,
  buyer: Buyer,
  wish: TopupWish,
  order: Pick<Order, 'id' | 'currency' | 'payments'>,
): void {
  for (const unpaid of equalTo(model, buyer, wish).filter(isUnpaid)) {
    expire(unpaid)
    unpaid.isOfSomeCart = false
  }
  const isPaid = order.payments.length === 0
  const total = topupPrice(model, wish)[order.currency]
  if (isPaid) buyer.money[order.currency] -= total
  model.orders.push({
    ...order,
    buyer,
    topup: wish,
    ...('item' in wish && { supplierItem: wish.item }),
    total,
    status: isPaid ? 'pending' : 'awaiting_payment',
    items: [],
    part: 0,
    returned: { inAll: 0, toCard: 0 },
    isOfSomeCart: true,
    isOverdue: false,
  })
}

/** Predicts why it can't be bought now. */
function refusalFor(model: Model, buyer: Buyer, wish: TopupWish, values: TopupPress, from: 'balance' | 'card') {
  if (!isTopupSold(model, wish)) return 'OUT_OF_STOCK'
  const isRepeated = equalTo(model, buyer, wish).some((order) => !isUnpaid(order))
  if (isRepeated && !values.confirmRepeat) return 'STATE_CONFLICT'
  const isPoor = from === 'balance' && buyer.money[values.currency] < topupPrice(model, wish)[values.currency]
  return isPoor ? 'INSUFFICIENT_BALANCE' : undefined
}

async function topUp(model: Model, real: Real, values: TopupPress) {
  const buyer = chosen(model.buyers, values.buyer)
  const wish = chosen(toWishes(model), values.wish)
  const { currency, confirmRepeat } = values
  const body = { topupData: toData(model, wish), currency, confirmRepeat }
  const answers = await pressAtOnce(real, '/orders/topup', buyer.user, body, values)
  const made = new Map(answers.filter(({ status }) => status === 201).map((answer) => [answer.body.order.id, answer]))
  // Each key is a separate purchase, one after the other; the outcome of one key is answered to all who sent it.
  const refused = answers.filter(({ status }) => status !== 201).map(readRefusal)
  const expected: (string | undefined)[] = []
  const ids = [...made.keys()]
  for (let purchase = 0; purchase < (values.isOneKey ? 1 : values.presses); purchase++) {
    const refusal = refusalFor(model, buyer, wish, values, 'balance')
    if (refusal) expected.push(...Array.from({ length: values.isOneKey ? values.presses : 1 }, () => refusal))
    else placeTopup(model, buyer, wish, { id: ids.shift() ?? 'no order was made', currency, payments: [] })
  }
  expect(ids).toEqual([])
  expect(refused).toEqual(expected)
}

async function topUpByCard(model: Model, real: Real, values: TopupPress) {
  const buyer = chosen(model.buyers, values.buyer)
  const wish = chosen(toWishes(model), values.wish)
  const { currency, confirmRepeat } = values
  const price = topupPrice(model, wish)[currency]
  const waiting = equalTo(model, buyer, wish).find(
    (order) => order.status === 'awaiting_payment' && !order.isOverdue && order.currency === currency,
  )
  const seen = values.isOldPage && waiting ? waiting.total : price
  const body = {
    amount: toMajor(seen),
    currency,
    type: 'order',
    topupData: toData(model, wish),
    confirmRepeat,
  }
  const answers = await pressAtOnce(real, '/payment/create', buyer.user, body, values)
  const expectOrder = (id: string) =>
    expect(answers.map((answer: Answer) => [answer.status, answer.body.order_id])).toEqual(answers.map(() => [201, id]))
  const same = waiting && waiting.total === seen && isResumable(model, waiting) ? waiting : undefined
  if (same) {
    expectOrder(same.id)
    if (same.payments.at(-1)?.status === 'canceled') same.payments.push(await newestPayment(real, same.id))
    return
  }
  const isStale = isTopupSold(model, wish) && seen !== price
  const refusal = isStale ? 'PRICE_CHANGED' : refusalFor(model, buyer, wish, values, 'card')
  if (refusal) return expect(answers.map(readRefusal)).toEqual(answers.map(() => refusal))
  const id = answers[0]?.body.order_id
  expectOrder(id)
  placeTopup(model, buyer, wish, { id, currency, payments: [await newestPayment(real, id)] })
}

const topupPress: fc.Arbitrary<TopupPress> = fc
  .tuple(press, fc.nat({ max: 11 }), fc.boolean(), fc.boolean())
  .map(([pressed, wish, confirmRepeat, isOldPage]) => ({ ...pressed, wish, confirmRepeat, isOldPage }))

/** Resets the store to its initial rates at the start of a run. */
export async function resetSteam({ shop }: Real): Promise<Pick<Model, 'rate' | 'isSteamSold'>> {
  await setRate(shop, 'RUB', 80)
  await shop.database.run(sql`UPDATE product SET is_active = true WHERE slug = 'steam'`)
  // A run leaves deliveries behind, and on a busy machine the next runs take longer than one may be overdue.
  await shop.database.run(sql`UPDATE delivery SET next_at = now() WHERE next_at < now()`)
  return { rate: 8_000, isSteamSold: true }
}

async function moveRate(model: Model, { shop }: Real, { rate }: { rate: number }) {
  await setRate(shop, 'RUB', rate / 100)
  model.rate = rate
}

async function switchSteam(model: Model, { shop }: Real, { isOn }: { isOn: boolean }) {
  await shop.database.run(sql`UPDATE product SET is_active = ${isOn} WHERE slug = 'steam'`)
  model.isSteamSold = isOn
}

export const topupCommands = [
  command('top up', topupPress, ({ buyers }) => buyers.length > 0, topUp),
  command('top up by card', topupPress, ({ buyers }) => buyers.length > 0, topUpByCard),
  command(
    'move the rate',
    fc.record({ rate: fc.constantFrom(8_000, 8_000, 8_060, 8_079, 8_100, 16_000) }),
    () => true,
    moveRate,
  ),
  command('switch Steam', fc.record({ isOn: fc.constantFrom(true, true, false) }), () => true, switchSteam),
]

import { toMajor } from '@olmos/contract/money'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Answer } from '../shop.ts'
import { freefireTopup, steamTopup } from '../topups.ts'
import { type Press, press, pressAtOnce } from './buyer-commands.ts'
import { denominationPrice } from './denomination-commands.ts'
import { type Buyer, type Denomination, expire, type Model, type Order, type Prices } from './model.ts'
import { newestPayment } from './payment-commands.ts'
import { chosen, command, type Real, refusalOf } from './real.ts'

interface Wish {
  key: string
  price: Prices
  /** As it is sent. */
  data: unknown
  denomination?: Denomination
}

/** So many dollars that arrive on Steam, at the rates a new store has. */
const steam = (login: string, amount: number, price: Prices): Wish => ({
  key: `${login} ${amount}`,
  price,
  data: steamTopup({ login, amount, price_usd: toMajor(price.USD), price_rub: toMajor(price.RUB) }),
})

const ofSteam: readonly Wish[] = [
  steam('gabe', 1, { USD: 103, RUB: 8_240 }),
  steam('gabe', 2, { USD: 206, RUB: 16_480 }),
  steam('alyx', 1, { USD: 103, RUB: 8_240 }),
]

const ofFreefire = (denomination: Denomination): Wish => {
  const { id, gameAmount, item } = denomination
  const offer = { id, gameAmount, itemId: item, priceUsd: denominationPrice.USD, priceRub: denominationPrice.RUB }
  return { key: `freefire ${id}`, price: denominationPrice, data: freefireTopup(offer), denomination }
}

/** What can be ordered now. Somebody else's denomination is nobody's wish. */
const wishesOf = ({ denominations }: Model): readonly Wish[] => [
  ...ofSteam,
  ...denominations.filter(({ isDeleted }) => !isDeleted).map(ofFreefire),
]

interface TopupPress extends Press {
  wish: number
  confirmRepeat: boolean
}

const isUnpaid = ({ status }: Order) => status === 'awaiting_payment' || status === 'expired'

/** What the buyer has of this top-up. A run is shorter than the minute in which an equal one is a repetition. */
const equalTo = ({ orders }: Model, buyer: Buyer, wish: Wish) =>
  orders.filter((order) => order.buyer === buyer && order.topupKey === wish.key && order.isOfSomeCart)

function placeTopup(model: Model, buyer: Buyer, wish: Wish, order: Pick<Order, 'id' | 'currency' | 'payments'>): void {
  for (const unpaid of equalTo(model, buyer, wish).filter(isUnpaid)) {
    expire(unpaid)
    unpaid.isOfSomeCart = false
  }
  const isPaid = order.payments.length === 0
  const total = wish.price[order.currency]
  if (isPaid) buyer.money[order.currency] -= total
  model.orders.push({
    ...order,
    buyer,
    topupKey: wish.key,
    ...(wish.denomination && { frozen: { denomination: wish.denomination, item: wish.denomination.item } }),
    total,
    status: isPaid ? 'pending' : 'awaiting_payment',
    items: [],
    isOfSomeCart: true,
    isOverdue: false,
  })
}

/** Why it can't be bought now. */
function refusalFor(model: Model, buyer: Buyer, wish: Wish, values: TopupPress, from: 'balance' | 'card') {
  const isRepeated = equalTo(model, buyer, wish).some((order) => !isUnpaid(order))
  if (isRepeated && !values.confirmRepeat) return 'STATE_CONFLICT'
  const isPoor = from === 'balance' && buyer.money[values.currency] < wish.price[values.currency]
  return isPoor ? 'INSUFFICIENT_BALANCE' : undefined
}

async function topUp(model: Model, real: Real, values: TopupPress) {
  const buyer = chosen(model.buyers, values.buyer)
  const wish = chosen(wishesOf(model), values.wish)
  const { currency, confirmRepeat } = values
  const body = { topupData: wish.data, currency, confirmRepeat }
  const answers = await pressAtOnce(real, '/orders/topup', buyer.user, body, values)
  const made = new Map(answers.filter(({ status }) => status === 201).map((answer) => [answer.body.order.id, answer]))
  // Each key is a purchase of its own, one after the other; what one key bought is answered to all who sent it.
  const refused = answers.filter(({ status }) => status !== 201).map(refusalOf)
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
  const wish = chosen(wishesOf(model), values.wish)
  const { currency, confirmRepeat } = values
  const body = {
    amount: toMajor(wish.price[currency]),
    currency,
    type: 'order',
    topupData: wish.data,
    confirmRepeat,
  }
  const answers = await pressAtOnce(real, '/payment/create', buyer.user, body, values)
  const expectOrder = (id: string) =>
    expect(answers.map((answer: Answer) => [answer.status, answer.body.order_id])).toEqual(answers.map(() => [201, id]))
  const same = equalTo(model, buyer, wish).find(
    (order) => order.status === 'awaiting_payment' && !order.isOverdue && order.currency === currency,
  )
  if (same) {
    expectOrder(same.id)
    if (same.payments.at(-1)?.status === 'canceled') same.payments.push(await newestPayment(real, same.id))
    return
  }
  const refusal = refusalFor(model, buyer, wish, values, 'card')
  if (refusal) return expect(answers.map(refusalOf)).toEqual(answers.map(() => refusal))
  const id = answers[0]?.body.order_id
  expectOrder(id)
  placeTopup(model, buyer, wish, { id, currency, payments: [await newestPayment(real, id)] })
}

const topupPress: fc.Arbitrary<TopupPress> = fc
  .tuple(press, fc.nat({ max: 11 }), fc.boolean())
  .map(([pressed, wish, confirmRepeat]) => ({ ...pressed, wish, confirmRepeat }))

export const topupCommands = [
  command('top up', topupPress, ({ buyers }) => buyers.length > 0, topUp),
  command('top up by card', topupPress, ({ buyers }) => buyers.length > 0, topUpByCard),
]

import { toMajor } from '@olmos/contract/money'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from '../../src/platform/database.ts'
import { anOffer } from '../factories.ts'
import { canRefund, type Model, refund, type Shelf } from './model.ts'
import { call, chosen, command, currency, type Real, refusalOf, which } from './real.ts'

const anyShelf = ({ shelves }: Model) => shelves.length > 0
const anyOrder = ({ orders }: Model) => orders.length > 0

export async function openShelf(model: Model, { shop }: Real, stock: number, priceUsd: number): Promise<void> {
  const price = { USD: priceUsd, RUB: priceUsd * 80 }
  const offer = await anOffer(shop, { stock, priceUsd: price.USD, priceRub: price.RUB })
  model.shelves.push({ offer, price, isActive: true, isDeleted: false, available: stock, held: 0, imported: 0 })
}

async function fund(model: Model, real: Real, values: { buyer: number; currency: 'USD' | 'RUB'; amount: number }) {
  const { user, money } = chosen(model.buyers, values.buyer)
  const body = {
    [values.currency === 'USD' ? 'balanceUsd' : 'balanceRub']: toMajor(values.amount),
    reason: 'model',
  }
  const answer = await call(real, 'PUT', `/admin/users/${user.id}/balance`, { token: real.admin.token, body })
  expect(answer.status).toBe(200)
  money[values.currency] = values.amount
}

async function importCodes(
  model: Model,
  real: Real,
  values: { shelf: number; count: number; priceUsd: number | null },
) {
  const shelf = chosen(model.shelves, values.shelf)
  const { productId, gameAmount } = shelf.offer
  const price = values.priceUsd === null ? shelf.price : { USD: values.priceUsd, RUB: values.priceUsd * 80 }
  const lines = Array.from({ length: values.count }, (_, index) => {
    return `M${shelf.offer.id}-${shelf.imported + index},${toMajor(price.USD)},${toMajor(price.RUB)},${gameAmount}`
  })
  // One twice: a code is in stock once, however often it is sent.
  const body = { productId, lines: [...lines, ...lines.slice(0, 1)], confirmPrices: true }
  const answer = await call(real, 'POST', '/admin/codes/bulk', { token: real.admin.token, body })
  if (shelf.isDeleted) return expect(refusalOf(answer)).toBe('NOT_FOUND')
  expect(answer.body.data ?? answer.body).toMatchObject({ added: values.count })
  shelf.price = { ...price }
  shelf.available += values.count
  shelf.imported += values.count
}

async function changeOffer(
  model: Model,
  real: Real,
  values: { shelf: number; change: 'price' | 'off' | 'on'; usd: number },
) {
  const shelf = chosen(model.shelves, values.shelf)
  const body =
    values.change === 'price'
      ? { priceUsd: toMajor(values.usd), priceRub: toMajor(values.usd * 80), confirmPrices: true }
      : { isActive: values.change === 'on' }
  const answer = await call(real, 'PUT', `/admin/offers/${shelf.offer.id}`, { token: real.admin.token, body })
  if (shelf.isDeleted) return expect(refusalOf(answer)).toBe('OFFER_NOT_FOUND')
  expect(answer.status).toBe(200)
  if (values.change === 'price') shelf.price = { USD: values.usd, RUB: values.usd * 80 }
  else shelf.isActive = values.change === 'on'
}

async function deleteProduct(model: Model, real: Real, values: { shelf: number; usd: number }) {
  const shelf: Shelf = chosen(model.shelves, values.shelf)
  const answer = await call(real, 'DELETE', `/admin/products/${shelf.offer.productId}`, { token: real.admin.token })
  expect(answer.status).toBe(shelf.isDeleted ? 404 : 200)
  shelf.isDeleted = true
  await openShelf(model, real, 3, values.usd)
}

async function giveBack(
  model: Model,
  real: Real,
  values: { order: number; item: number | null; to: 'wallet' | 'card' },
) {
  const order = chosen(model.orders, values.order)
  const all = await real.shop.database.rows<{ id: number }>(
    sql`SELECT id FROM order_item WHERE order_id = ${order.id} ORDER BY position`,
  )
  const at = values.item === null ? undefined : values.item % all.length
  const items = order.items.filter((item, index) => (at === undefined ? !item.isRefunded : index === at))
  const body = { to: values.to, reason: 'model', ...(at !== undefined && { items: [all[at]?.id] }) }
  const answer = await call(real, 'POST', `/admin/orders/${order.id}/refund`, { token: real.admin.token, body })
  if (!canRefund(order, items, values.to)) return expect(refusalOf(answer)).toBe('STATE_CONFLICT')
  expect(answer.status).toBe(200)
  refund(order, items, values.to)
}

async function readReceipt(model: Model, real: Real, values: { order: number }) {
  const order = chosen(model.orders, values.order)
  const { body } = await call(real, 'GET', `/orders/${order.id}`, { token: order.buyer.user.token })
  expect(body).toMatchObject({ status: order.status, total_amount: toMajor(order.total), currency: order.currency })
  const isDelivered = ['completed', 'partially_refunded', 'refunded'].includes(order.status)
  const shown = body.items.map((item: { code: string | null }) => item.code?.split('\n').length ?? 0)
  const codes = order.items.map((item) => (isDelivered && !item.isRefunded ? item.quantity : 0))
  expect(shown).toEqual(order.topupKey === undefined ? codes : [0])
  for (const item of order.items) item.isSeen ||= isDelivered && !item.isRefunded
}

const price = fc.integer({ min: 1, max: 40 }).map((quarters) => quarters * 25)

export const adminCommands = [
  command(
    'fund',
    fc.record({ buyer: which, currency, amount: fc.integer({ min: 0, max: 100_000 }) }),
    ({ buyers }) => buyers.length > 0,
    fund,
  ),
  command(
    'import',
    fc.record({ shelf: which, count: fc.integer({ min: 1, max: 6 }), priceUsd: fc.option(price, { freq: 3 }) }),
    anyShelf,
    importCodes,
  ),
  command(
    'change the offer',
    fc.record({ shelf: which, change: fc.constantFrom('price', 'off', 'on', 'on'), usd: price }),
    anyShelf,
    changeOffer,
  ),
  command(
    'delete the product',
    fc.record({ shelf: which, usd: price }),
    ({ shelves }) => shelves.length < 5,
    deleteProduct,
  ),
  command(
    'give back',
    fc.record({ order: which, item: fc.option(which), to: fc.constantFrom('wallet', 'card') }),
    anyOrder,
    giveBack,
  ),
  command('read the receipt', fc.record({ order: which }), anyOrder, readReceipt),
]

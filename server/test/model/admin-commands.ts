import { toMajor } from '@olmos/contract/minor-units'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from '../../src/platform/database/queries.ts'
import { anOffer } from '../factories.ts'
import { inForce } from './buyer-commands.ts'
import { type Batch, type Code, canRefund, type Model, type Prices, refund, type Shelf } from './model.ts'
import { call, chosen, command, currency, type Real, readRefusal, which } from './real.ts'

const anyShelf = ({ shelves }: Model) => shelves.length > 0
const anyOrder = ({ orders }: Model) => orders.length > 0

/** New in stock. */
const fresh = (batch: Batch, texts: readonly string[]): Code[] =>
  texts.map((text) => ({ text, batch, state: 'available', wasSold: false, isSeen: false }))

export async function openShelf(model: Model, { shop }: Real, stock: number, priceUsd: number): Promise<void> {
  const price = { USD: priceUsd, RUB: priceUsd * 80 }
  const offer = await anOffer(shop, { stock, priceUsd: price.USD, priceRub: price.RUB })
  const { id } = await shop.database.one<{ id: number }>(
    sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${offer.id}`,
  )
  const codes = fresh({ id, isRecalled: false }, offer.codes)
  model.shelves.push({ offer, price, isActive: true, deleted: undefined, codes, imported: 0 })
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
  const shelf = inForce(model, chosen(model.shelves, values.shelf))
  const price = values.priceUsd === null ? shelf.price : { USD: values.priceUsd, RUB: values.priceUsd * 80 }
  const texts = Array.from({ length: values.count }, (_, index) => `M${shelf.offer.id}-${shelf.imported + index}`)
  // One twice: a code is in stock once, however often it is sent.
  const added = await send(model, real, shelf, { price, texts: [...texts, ...texts.slice(0, 1)] })
  if (shelf.deleted !== 'product') expect(added).toBe(values.count)
  shelf.imported += values.count
}

/** Sends codes to where a package is, or was; adds the accepted ones to its stock and returns their number. */
async function send(
  model: Model,
  real: Real,
  shelf: Shelf,
  { price, texts }: { price: Prices; texts: readonly string[] },
): Promise<number | undefined> {
  const { productId, gameAmount } = shelf.offer
  const tail = `${toMajor(price.USD)},${toMajor(price.RUB)},${gameAmount}`
  const body = { productId, lines: texts.map((text) => `${text},${tail}`), confirmPrices: true }
  const answer = await call(real, 'POST', '/admin/codes/bulk', { token: real.admin.token, body })
  if (shelf.deleted === 'product') {
    expect(readRefusal(answer)).toBe('NOT_FOUND')
    return undefined
  }
  const { added, batch_id: id } = answer.body
  const known = new Set(
    model.shelves.flatMap(({ codes }) => codes.filter((code) => !isFree(code))).map(({ text }) => text),
  )
  const codes = fresh(
    { id, isRecalled: false },
    [...new Set(texts)].filter((text) => !known.has(text)),
  )
  expect(added).toBe(codes.length)
  for (const one of model.shelves) one.codes = one.codes.filter(({ text }) => !codes.some((code) => code.text === text))
  if (shelf.deleted === undefined) {
    shelf.price = { ...price }
    shelf.codes.push(...codes)
    return added
  }
  // A deleted package stays deleted: this is another one, if there is anything to be sold of it.
  if (added === 0) return added
  const offer = await real.shop.database.one<{ id: number }>(sql`
    SELECT id FROM offer WHERE product_id = ${productId} AND game_amount = ${gameAmount} AND deleted_at IS NULL`)
  const there = { ...shelf, offer: { ...shelf.offer, id: offer.id }, price: { ...price }, codes, imported: 0 }
  model.shelves.push({ ...there, isActive: true, deleted: undefined })
  return added
}

/** Whether it may be imported elsewhere: off sale, never sold, never seen. */
const isFree = ({ state, wasSold, batch }: Code): boolean =>
  state === 'gone' || (state === 'off' && !wasSold && !batch.isRecalled)

/** Tries to import everything that was ever taken off sale into another package. */
async function importElsewhere(model: Model, real: Real, values: { from: number; to: number }) {
  const from = chosen(model.shelves, values.from)
  const texts = from.codes.flatMap(({ state, text }) => (state === 'off' || state === 'gone' ? [text] : []))
  const shelf = inForce(model, chosen(model.shelves, values.to))
  if (texts.length > 0) await send(model, real, shelf, { price: shelf.price, texts })
}

async function recall(model: Model, real: Real, values: { shelf: number; batch: number }) {
  const shelf = chosen(model.shelves, values.shelf)
  const batches = [...new Set(shelf.codes.map(({ batch }) => batch))]
  if (batches.length === 0) return
  const batch = chosen(batches, values.batch)
  const path = `/admin/code-batches/${batch.id}/recall`
  const answer = await call(real, 'POST', path, { token: real.admin.token, body: { reason: 'model' } })
  expect(answer.status).toBe(batch.isRecalled ? 409 : 200)
  batch.isRecalled = true
  for (const code of model.shelves.flatMap(({ codes }) => codes)) {
    if (code.batch === batch && code.state === 'available') code.state = 'off'
  }
}

async function deleteOffer(model: Model, real: Real, values: { shelf: number }) {
  const shelf = chosen(model.shelves, values.shelf)
  const answer = await call(real, 'DELETE', `/admin/offers/${shelf.offer.id}`, { token: real.admin.token })
  if (shelf.deleted) return expect(readRefusal(answer)).toBe('OFFER_NOT_FOUND')
  const untouched = shelf.codes.filter((code) => code.state === 'available' && !code.wasSold)
  expect(answer.body.data).toMatchObject({ deleted_codes: untouched.length })
  for (const code of untouched) code.state = 'gone'
  takeOffSale(shelf, 'offer')
}

function takeOffSale(shelf: Shelf, deleted: 'offer' | 'product'): void {
  shelf.deleted = deleted
  for (const code of shelf.codes) if (code.state === 'available') code.state = 'off'
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
  if (shelf.deleted) return expect(readRefusal(answer)).toBe('OFFER_NOT_FOUND')
  expect(answer.status).toBe(200)
  if (values.change === 'price') shelf.price = { USD: values.usd, RUB: values.usd * 80 }
  else shelf.isActive = values.change === 'on'
}

async function deleteProduct(model: Model, real: Real, values: { shelf: number; usd: number }) {
  const shelf: Shelf = chosen(model.shelves, values.shelf)
  const answer = await call(real, 'DELETE', `/admin/products/${shelf.offer.productId}`, { token: real.admin.token })
  expect(answer.status).toBe(shelf.deleted === 'product' ? 404 : 200)
  for (const one of model.shelves) if (one.offer.productId === shelf.offer.productId) takeOffSale(one, 'product')
  await openShelf(model, real, 3, values.usd)
}

/** The refund of a delivered top-up is not modelled. */
const isRefundModelled = (order: Model['orders'][number]): boolean =>
  order.topup === undefined || order.status !== 'completed'

async function refundInPart(
  model: Model,
  real: Real,
  values: { order: number; item: number | null; to: 'wallet' | 'card' },
) {
  const order = chosen(model.orders.filter(isRefundModelled), values.order)
  const all = await real.shop.database.rows<{ id: number }>(
    sql`SELECT id FROM order_item WHERE order_id = ${order.id} ORDER BY position`,
  )
  const at = values.item === null ? undefined : values.item % all.length
  const items = order.items.filter((item, index) => (at === undefined ? !item.isRefunded : index === at))
  const body = { to: values.to, reason: 'model', ...(at !== undefined && { items: [all[at]?.id] }) }
  const answer = await call(real, 'POST', `/admin/orders/${order.id}/refund`, { token: real.admin.token, body })
  if (!canRefund(order, items, values.to)) return expect(readRefusal(answer)).toBe('STATE_CONFLICT')
  expect(answer.status).toBe(200)
  refund(order, items, values.to)
}

async function readReceipt(model: Model, real: Real, values: { order: number }) {
  const order = chosen(model.orders, values.order)
  const { body } = await call(real, 'GET', `/orders/${order.id}`, { token: order.buyer.user.token })
  expect(body).toMatchObject({ status: order.status, total_amount: toMajor(order.total), currency: order.currency })
  const isDelivered = ['completed', 'partially_refunded', 'refunded'].includes(order.status)
  const shown = body.items.map((item: { code: string | null; withheld_codes: number }) => [
    item.code?.split('\n').toSorted() ?? [],
    item.withheld_codes,
  ])
  const wanted = order.items.map((item) => {
    const codes = isDelivered && !item.isRefunded ? item.codes : []
    // A recalled code is not shown to anybody who has not seen it.
    const visible = codes.filter(({ batch, isSeen }) => isSeen || !batch.isRecalled)
    for (const code of visible) code.isSeen = true
    return [visible.map(({ text }) => text).toSorted(), codes.length - visible.length]
  })
  expect(shown).toEqual(order.topup === undefined ? wanted : [[[], 0]])
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
  command('delete the offer', fc.record({ shelf: which }), anyShelf, deleteOffer),
  command('recall', fc.record({ shelf: which, batch: which }), anyShelf, recall),
  command('import elsewhere', fc.record({ from: which, to: which }), anyShelf, importElsewhere),
  command(
    'give back',
    fc.record({ order: which, item: fc.option(which), to: fc.constantFrom('wallet', 'card') }),
    ({ orders }) => orders.some(isRefundModelled),
    refundInPart,
  ),
  command('read the receipt', fc.record({ order: which }), anyOrder, readReceipt),
]

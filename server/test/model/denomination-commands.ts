import { toMajor } from '@olmos/contract/minor-units'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sql } from '../../src/platform/database/queries.ts'
import { shopFor, workOff } from '../topup-orders.ts'
import type { Model, Order } from './model.ts'
import { call, chosen, command, type Real, which } from './real.ts'

const path = '/freefire-admin/denominations'
let made = 0

/** Adds a denomination of a new amount, or of one that was deleted. */
export async function addDenomination(model: Model, real: Real, gameAmount = 2_000_000 + made): Promise<void> {
  const item = `model/${++made}`
  const price = { USD: 150, RUB: 12_000 }
  const body = {
    name: `Diamonds ${made}`,
    item_id: item,
    game_amount: gameAmount,
    price_usd: toMajor(price.USD),
    price_rub: toMajor(price.RUB),
    is_active: true,
    confirmPrices: true,
  }
  const answer = await call(real, 'POST', path, { token: real.admin.token, body })
  expect(answer.status).toBe(201)
  const { id } = answer.body.data
  expect(model.denominations.map((one) => one.id)).not.toContain(id)
  model.denominations.push({ id, gameAmount, price, item, isDeleted: false })
}

async function edit(model: Model, real: Real, values: { denomination: number; usd: number | null }) {
  const denomination = chosen(model.denominations, values.denomination)
  const item = `model/${++made}`
  const price = values.usd === null ? denomination.price : { USD: values.usd, RUB: values.usd * 80 }
  const prices = { price_usd: toMajor(price.USD), price_rub: toMajor(price.RUB), confirmPrices: true }
  const body = { item_id: item, name: `Diamonds ${made}`, ...prices }
  const answer = await call(real, 'PUT', `${path}/${denomination.id}`, { token: real.admin.token, body })
  expect(answer.status).toBe(denomination.isDeleted ? 404 : 200)
  if (!denomination.isDeleted) Object.assign(denomination, { item, price })
}

async function replace(model: Model, real: Real, values: { denomination: number }) {
  const denomination = chosen(model.denominations, values.denomination)
  const answer = await call(real, 'DELETE', `${path}/${denomination.id}`, { token: real.admin.token })
  expect(answer.status).toBe(denomination.isDeleted ? 404 : 200)
  if (denomination.isDeleted) return
  denomination.isDeleted = true
  await addDenomination(model, real, denomination.gameAmount)
}

const isOnItsWay = (order: Order) => order.topup !== undefined && order.status === 'pending'

/** Every player gets what was ordered, whatever its present name. */
async function deliver(model: Model, { shop }: Real) {
  await workOff(shopFor(shop))
  for (const order of model.orders.filter(isOnItsWay)) {
    const sent = await shop.database.rows<{ item: string }>(sql`
      SELECT sandbox_topup.item FROM sandbox_topup JOIN supplier_order USING (key)
      JOIN delivery ON delivery.id = delivery_id JOIN order_item ON order_item.id = order_item_id
      WHERE order_id = ${order.id}`)
    if (order.supplierItem) expect(sent).toEqual([{ item: order.supplierItem }])
    order.status = 'completed'
  }
}

const anyDenomination = ({ denominations }: Model) => denominations.length > 0
const ofDenomination = fc.record({ denomination: which })

export const denominationCommands = [
  command(
    'edit the denomination',
    fc.record({ denomination: which, usd: fc.option(fc.constantFrom(140, 150, 151, 200)) }),
    anyDenomination,
    edit,
  ),
  command(
    'replace the denomination',
    ofDenomination,
    ({ denominations }) => denominations.length > 0 && denominations.length < 6,
    replace,
  ),
  command('deliver', fc.constant({}), ({ orders }) => orders.some(isOnItsWay), deliver),
]

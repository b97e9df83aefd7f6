import { expect, test } from 'vitest'
import { useShop } from '../../../test/use-shop.ts'
import { join, raw, sql } from '../../platform/database/queries.ts'

const shop = useShop()

/** Whether the database would take a row with these columns; what it doubts it takes, as a check does. */
async function takes(rule: string, row: object): Promise<boolean> {
  const columns = Object.entries(row).map(([column, value]) => sql`${raw(column)} => ${value}`)
  const { taken } = await shop.database.one<{ taken: boolean }>(
    sql`SELECT ${raw(rule)}(${join(columns, ', ')}) IS NOT FALSE AS taken`,
  )
  return taken
}

const order = {
  id: '0123456789',
  purpose: 'goods',
  status: 'completed',
  payment_method: 'balance',
  currency: 'USD',
  total: 500,
  wallet_amount: 0,
  discount: 0,
  coupon_id: null,
  expires_at: null,
  cart_version: null,
  topup_key: null,
}
const filling = { ...order, purpose: 'balance', payment_method: 'card' }
const unpaid = { ...order, status: 'awaiting_payment', payment_method: 'card', expires_at: '2026-11-30' }

test.each([
  ['paid from the balance', order],
  ['that waits for its card', unpaid],
  ['that became of a cart', { ...order, cart_version: 3 }],
  ['of a top-up', { ...order, topup_key: 'pubg 5123456789' }],
  ['with a coupon', { ...order, discount: 50, coupon_id: 1 }],
  ['that the balance pays in part', { ...unpaid, wallet_amount: 200 }],
  ['that a generated code pays', { ...order, payment_method: 'code', total: 0 }],
  ['that fills a balance', filling],
])('an order %s is whole', async (_, row) => {
  expect(await takes('is_whole_order', row)).toBe(true)
})

test.each([
  ['an id that people confuse', { ...order, id: '012345678O' }],
  ['an id that is too short', { ...order, id: '012345678' }],
  ['an unknown purpose', { ...order, purpose: 'gift' }],
  ['an unknown status', { ...order, status: 'lost' }],
  ['an unknown way to pay', { ...order, payment_method: 'cash' }],
  ['an unknown currency', { ...order, currency: 'EUR' }],
  ['a total below zero', { ...order, total: -1 }],
  ['no price that money paid', { ...order, total: 0 }],
  ['a price that a generated code paid', { ...order, payment_method: 'code' }],
  ['a payment to wait for that has no end', { ...unpaid, expires_at: null }],
  ['both a cart and a top-up', { ...order, cart_version: 3, topup_key: 'pubg 5123456789' }],
  ['a discount without its coupon', { ...order, discount: 50 }],
  ['a coupon without a discount', { ...order, coupon_id: 1 }],
  ['a discount below zero', { ...order, discount: -50, coupon_id: 1 }],
  ['a part from the balance that is all of it', { ...unpaid, wallet_amount: 500 }],
  ['a part from the balance below zero', { ...unpaid, wallet_amount: -1 }],
  ['a part from the balance and no card', { ...order, wallet_amount: 200 }],
  ['a filling from the balance', { ...filling, payment_method: 'balance' }],
  ['a filling out of a cart', { ...filling, cart_version: 3 }],
  ['a filling that was given back', { ...filling, status: 'refunded' }],
])('an order with %s is refused', async (_, row) => {
  expect(await takes('is_whole_order', row)).toBe(false)
})

const item = {
  item_type: 'code',
  status: 'delivered',
  offer_id: 1,
  price_version: 1,
  product_id: null,
  quantity: 1,
  unit_price: 500,
  unit_discount: 0,
  unit_floor: null,
  is_on_demand: false,
}
const amount = { ...item, item_type: 'topup', status: 'pending', offer_id: null, price_version: null, product_id: 1 }

test.each([
  ['of codes', item],
  ['of codes that are bought', { ...item, is_on_demand: true }],
  ['of an amount', amount],
  ['sold at its floor', { ...item, unit_discount: 50, unit_floor: 500 }],
  ['that costs nothing', { ...item, unit_price: 0 }],
])('an item %s is whole', async (_, row) => {
  expect(await takes('is_whole_item', row)).toBe(true)
})

test.each([
  ['an unknown type', { ...item, item_type: 'gift' }],
  ['an unknown status', { ...item, status: 'lost' }],
  ['nothing in it', { ...item, quantity: 0 }],
  ['a price below zero', { ...item, unit_price: -1 }],
  ['a package and no version of its price', { ...item, price_version: null }],
  ['both a package and a product', { ...item, product_id: 1 }],
  ['neither a package nor a product', { ...amount, product_id: null }],
  ['codes of no package', { ...amount, item_type: 'code' }],
  ['a top-up that is bought as codes are', { ...item, item_type: 'topup', is_on_demand: true }],
  ['a discount below zero', { ...item, unit_discount: -1 }],
  ['a discount down to nothing', { ...item, unit_discount: 50, unit_price: 0 }],
  ['a discount below its floor', { ...item, unit_discount: 50, unit_floor: 501 }],
])('an item with %s is refused', async (_, row) => {
  expect(await takes('is_whole_item', row)).toBe(false)
})

test('the tables ask these rules of each row', async () => {
  const { checks } = await shop.database.one<{ checks: string[] }>(sql`
    SELECT array_agg(conname::text ORDER BY conname) AS checks FROM pg_constraint
    WHERE contype = 'c' AND conrelid IN ('orders'::regclass, 'order_item'::regclass)`)
  expect(checks).toEqual(['order_item_whole', 'orders_whole'])
})

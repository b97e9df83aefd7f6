import type { TopupPricing } from '@olmos/contract/topup-data'
import { addProduct } from '../src/modules/catalogue/change-product.ts'
import { insertOffer } from '../src/modules/catalogue/products.ts'
import { importCodes } from '../src/modules/codes/import-codes.ts'
import { deliverNext } from '../src/modules/delivery/deliver.ts'
import { type DeliveryShop, queueDeliveries } from '../src/modules/delivery/deliveries.ts'
import { newOrderId, placeOrder } from '../src/modules/orders/place-order.ts'
import type { Supplier, SupplierOrder } from '../src/modules/topups/supplier.ts'
import { sandboxSupplier } from '../src/modules/topups/suppliers/sandbox.ts'
import { debit } from '../src/modules/wallet/wallet.ts'
import { sql } from '../src/platform/database/queries.ts'
import type { Outcome } from '../src/platform/vendor/vendor.ts'
import { aUser, type TestUser } from './factories.ts'
import type { TestShop } from './shop.ts'

let count = 0

/** Makes the id of a new player; its last digits tell the sandbox what to do. */
export const aPlayer = (ending = '1000'): string => `5${String(++count).padStart(6, '0')}${ending}`

export interface TopupOffer {
  id: number
  productId: number
}

/**
 * Makes an offer of a game like PUBG, at $1.00 or 80 ₽. `itemId` is its name at the supplier; codes of what is combined are
 * spent on players.
 */
export function aTopupOffer(
  shop: Pick<TestShop, 'database'>,
  itemId = 'pubg_mobile_auto/60_uc',
  pricing: TopupPricing = 'combination',
): Promise<TopupOffer> {
  const n = ++count
  const text = { title: `Top-up ${n}`, description: '', activationInstructions: '' }
  return shop.database.transaction(async (tx) => {
    const productId = await addProduct(tx, {
      slug: `topup-${n}`,
      kind: 'topup',
      pricing,
      category: [],
      keywords: [],
      gameCurrency: 'UC',
      imageUrl: '',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: n,
      texts: { ru: text },
      regions: [],
    })
    const offer = { gameAmount: 60, priceUsd: 100, priceRub: 8_000, isPopular: false, itemId }
    return { id: await insertOffer(tx, { productId, regionId: null }, offer), productId }
  })
}

export interface TopupOrderWish {
  players?: string[]
  quantity?: number
  offer?: TopupOffer
  buyer?: TestUser
}

export interface TopupOrder {
  orderId: string
  buyer: TestUser
  offer: TopupOffer
  players: string[]
}

/** Makes a paid order of one item per player, of which nothing is delivered yet. */
export async function aTopupOrder(shop: Pick<TestShop, 'database'>, wish: TopupOrderWish = {}): Promise<TopupOrder> {
  const { players = [aPlayer()], quantity = 1 } = wish
  const total = 100 * quantity * players.length
  const buyer = wish.buyer ?? (await aUser(shop, { usd: total }))
  const offer = wish.offer ?? (await aTopupOffer(shop))
  const orderId = newOrderId()
  await shop.database.transaction(async (tx) => {
    const order = { id: orderId, userId: buyer.id, cartVersion: null, currency: 'USD', total } as const
    const items = players.map((account, index) => ({
      position: index + 1,
      itemType: 'topup' as const,
      offerId: offer.id,
      priceVersion: 1,
      productId: null,
      unitPrice: 100,
      quantity,
      gameCurrency: 'UC',
      status: 'pending' as const,
      target: { service: 'pubg', account, values: { player_id: account }, playerName: 'A player', steam: null },
    }))
    await placeOrder(tx, { ...order, status: 'pending', paymentMethod: 'balance' }, items)
    await debit(tx, {
      userId: buyer.id,
      currency: 'USD',
      amount: total,
      kind: 'purchase',
      shopAccount: 'sales',
      orderId,
      key: `purchase:${orderId}`,
    })
    await queueDeliveries(tx, orderId)
  })
  return { orderId, buyer, offer, players }
}

/** Adds codes to the offer's pool; the sandbox rejects those that end with 0000. */
export async function fillPool(shop: TestShop, { productId }: TopupOffer, codes: readonly string[]): Promise<void> {
  const lines = codes.map((code) => `${code},1,80,60`)
  await shop.database.transaction((tx) =>
    importCodes(tx, shop.vault, { productId, regionId: null, lines, dryRun: false, adminId: null, mayPrice: true }),
  )
}

/**
 * Reads the state of an order, its items, its units and the money, and how often the sandbox topped one of its players
 * up.
 */
export async function readTopupState(shop: TestShop, { orderId, buyer, players }: TopupOrder) {
  const [order, items, units, wallet, executions] = await Promise.all([
    shop.database.one<{ status: string }>(sql`SELECT status FROM orders WHERE id = ${orderId}`),
    shop.database.rows<{ status: string }>(
      sql`SELECT status FROM order_item WHERE order_id = ${orderId} ORDER BY position`,
    ),
    shop.database.rows<{ state: string; is_operators: boolean }>(sql`
      SELECT state, operator_since IS NOT NULL AS is_operators FROM delivery
      JOIN order_item ON order_item.id = order_item_id WHERE order_id = ${orderId} ORDER BY delivery.id`),
    shop.database.one<{ balance: number }>(
      sql`SELECT balance FROM account WHERE user_id = ${buyer.id} AND currency = 'USD'`,
    ),
    shop.database.one<{ executions: number }>(
      sql`SELECT count(*)::int AS executions FROM sandbox_execution WHERE account = ANY (${players})`,
    ),
  ])
  return {
    order: order.status,
    items: items.map(({ status }) => status),
    units: units.map(({ state, is_operators }) => (is_operators ? `${state} (operator)` : state)),
    balance: wallet.balance,
    executions: executions.executions,
  }
}

/** Makes a supplier that answers every order as told, and counts. */
export function scripted(name: 'fazercards' | 'kinguin', answer: () => Outcome<SupplierOrder>) {
  const calls: string[] = []
  const say = (what: string) => async () => {
    calls.push(what)
    return answer()
  }
  const supplier: Supplier = {
    name,
    sells: ['topup'],
    redeemsCodes: false,
    needsItem: false,
    settlesWithinSeconds: 60,
    remembers: 'own_reference',
    order: say('order'),
    lookUp: say('look_up'),
  }
  return { supplier, calls }
}

/** Makes what delivering needs, with these suppliers; with the sandbox alone by default. */
export function shopFor(shop: TestShop, ...suppliers: Supplier[]): DeliveryShop {
  const own = sandboxSupplier.create({}, shop)
  return { ...shop, suppliers: { configured: suppliers.length > 0 ? suppliers : [own], off: [], sandbox: own } }
}

/** Takes every delivery as far as it goes by now. */
export async function workOff(store: DeliveryShop): Promise<void> {
  while (await deliverNext(store));
}

/** Makes all deliveries due and expires their leases; what could not be sent may be sent again. */
export const passDeliveryTime = (shop: TestShop, seconds: number) =>
  shop.database.run(sql`
    WITH unsent AS (
      UPDATE supplier_order SET created_at = created_at - make_interval(secs => ${seconds}) WHERE is_unsent)
    UPDATE delivery SET next_at = next_at - make_interval(secs => ${seconds}),
      held_until = held_until - make_interval(secs => ${seconds}),
      tried_since = tried_since - make_interval(secs => ${seconds})`)

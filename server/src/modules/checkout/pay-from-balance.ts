import { Failure } from '@olmos/contract/failure'
import { pastTheCart } from '@olmos/contract/failure-codes'
import type { Currency } from '@olmos/contract/money'
import type { OrderStatus } from '@olmos/contract/orders'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { CheckNeeded } from '../../platform/http/serve.ts'
import type { Vault } from '../../platform/security/vault.ts'
import { type CartLine, emptyCart, lockCart, lockCartVersion } from '../cart/cart.ts'
import { isOnSale, type KeptNames, keptNames, offerPlace, offersOnDemand } from '../catalogue/availability.ts'
import { lockSpendable, spendCode } from '../codes/spend-codes.ts'
import { type CodeReservation, sellAtCommit, sellItem } from '../codes/take-codes.ts'
import { applyCoupon, takeCoupon } from '../coupons/coupons.ts'
import { queueDeliveries, settleOrder } from '../delivery/deliveries.ts'
import { lockOrder } from '../orders/order-states.ts'
import {
  findCartOrders,
  type NewItem,
  type NewOrder,
  newOrderId,
  placeAtCommit,
  placeOrder,
  splitCartOrders,
} from '../orders/place-order.ts'
import { requireSeenPrices } from '../topups/topups.ts'
import { debit, debitAtCommit } from '../wallet/wallet.ts'
import { supersedeOrder } from './expire-order.ts'
import {
  type OrderLine,
  requireFound,
  requireRoom,
  requireSeenTotal,
  requireUnchanged,
  toOutOfStock,
  toPaidItems,
  toPaidStatus,
  toTotal,
  wantedCodes,
} from './order-lines.ts'
import { lockTopup, ordersLike, replaceEqual, type TopupWish } from './repeat-topup.ts'

/**
 * Settles a paid order some of whose codes may have to be bought. Returns its status: completed if stock had them all.
 */
async function settleCodes(tx: Tx, orderId: string): Promise<OrderStatus> {
  const order = await lockOrder(tx, orderId)
  if (!order) throw new Error(`order ${orderId} is gone`)
  return settleOrder(tx, order)
}

interface WantedPurchase {
  userId: number
  currency: Currency
  /** The total the customer saw, in minor units, if known: the cart may have changed in another tab. */
  amount: number | undefined
  /** The code of a coupon. */
  coupon?: string | undefined
  /** Whether the customer agreed to buy a top-up again that was bought a moment ago. */
  confirmRepeat: boolean
  /** The accounts that suppliers were asked about a moment ago, and none was refused; a coupon that was counted. */
  checked: ReadonlySet<string>
}

/** What `CheckNeeded` names for a coupon: guesses are counted outside the transaction, which a refusal undoes. */
export const couponGuess = 'coupon'

/** Refuses to charge for an account that can be looked for and was not, or with a coupon nobody counted, with CheckNeeded. */
function requireChecked(
  lines: readonly CartLine[],
  { coupon, checked }: Pick<WantedPurchase, 'coupon' | 'checked'>,
): void {
  const accounts = lines.flatMap(({ target, is_offered_check }) =>
    target && is_offered_check ? [`${target.service} ${target.account}`] : [],
  )
  const names = coupon === undefined ? accounts : [couponGuess, ...accounts]
  if (names.some((name) => !checked.has(name))) throw new CheckNeeded([...new Set(names)])
}

/**
 * Pays for the whole cart from the wallet: all or nothing, and once for each version of the cart. A second press
 * returns the order that this version has already become. An unpaid card order of the cart is superseded. Refuses with
 * CART_EMPTY, PRICE_CHANGED, OUT_OF_STOCK, STATE_CONFLICT when a top-up in it was bought a moment ago,
 * COUPON_REFUSED or INSUFFICIENT_BALANCE.
 */
export async function payFromBalance(
  tx: Tx,
  { userId, currency, amount, coupon, confirmRepeat, checked }: WantedPurchase,
): Promise<{ id: string; status: OrderStatus }> {
  const { cart, orders } = await tx.pipeline({
    cart: (tx) => lockCart(tx, userId),
    orders: (tx) => findCartOrders(tx, userId),
  })
  const { paid, unpaid } = splitCartOrders(orders)
  if (paid) return { id: paid.id, status: paid.status }
  requireChecked(cart.lines, { coupon, checked })
  for (const order of unpaid) await supersedeOrder(tx, order.id)
  requireUnchanged(cart.lines)
  await replaceEqual(tx, await ordersLike(tx, userId, cart.lines), { confirmRepeat })

  return buyLines(tx, { userId, currency, amount, coupon, lines: cart.lines, cartVersion: cart.version })
}

/** The items that are not written together with their codes. */
const otherItems = (items: readonly NewItem[], wanted: readonly CodeReservation[]): NewItem[] =>
  items.filter(({ position }) => !wanted.some((sold) => sold.position === position))

/** The entry that pays for an order from its buyer's wallet, and can't be made twice. */
const purchaseEntry = ({ id, userId, currency, total }: NewOrder) =>
  ({
    userId,
    currency,
    amount: total,
    kind: 'purchase',
    shopAccount: 'sales',
    orderId: id,
    key: `purchase:${id}`,
  }) as const

interface BoughtLines extends Pick<NewOrder, 'userId' | 'currency' | 'cartVersion' | 'topupKey'> {
  lines: readonly OrderLine[]
  /** The total the customer saw, in minor units, if known. */
  amount?: number | undefined
  /** The code of a coupon. */
  coupon?: string | undefined
}

/**
 * Makes an order of these lines and pays for it from the wallet, all or nothing: whatever a balance buys is bought here.
 * With a version of the cart, the cart is emptied too. The caller has locked the cart. Refuses with PRICE_CHANGED,
 * OUT_OF_STOCK, COUPON_REFUSED, INSUFFICIENT_BALANCE or BALANCE_ON_HOLD.
 */
async function buyLines(
  tx: Tx,
  { lines: wantedLines, amount, coupon: code, ...buyer }: BoughtLines,
): Promise<{ id: string; status: OrderStatus }> {
  const { userId, currency, cartVersion } = buyer
  const applied = code === undefined ? undefined : await applyCoupon(tx, code, { lines: wantedLines, userId, currency })
  const { lines, coupon } = applied ?? { lines: wantedLines, coupon: undefined }
  const items = toPaidItems(lines, currency)
  const total = toTotal(items)
  requireSeenTotal(total, { currency, seen: amount ?? total })
  const order: NewOrder = {
    ...buyer,
    id: newOrderId(),
    total,
    coupon,
    status: toPaidStatus(items),
    paymentMethod: 'balance',
  }
  const wanted = wantedCodes(order.id, items)
  if (tx.isOptimistic && order.status === 'completed' && wanted.length === items.length && !coupon) {
    buyAtCommit(tx, { order, lines, wanted })
    return { id: order.id, status: order.status }
  }
  // A step that refuses undoes all the others.
  const { codes } = await tx.pipeline({
    order: (tx) => placeOrder(tx, order, otherItems(items, wanted)),
    debit: (tx) => debit(tx, purchaseEntry(order)),
    codes: (tx) => Promise.all(wanted.map((line) => sellItem(tx, { ...line, currency }))),
    cart: (tx) => (cartVersion === undefined ? undefined : tx.run(emptyCart(userId))),
    // After the codes, because those that stock lacks are delivered too.
    deliveries: (tx) => (order.status === 'pending' ? queueDeliveries(tx, order.id) : undefined),
    // Last, because everybody who uses the coupon waits for its row from here on.
    coupon: (tx) => (coupon ? takeCoupon(tx, coupon, order) : undefined),
  })
  requireFound(lines, wanted, codes)
  if (!lines.some((line) => line.is_on_demand)) return { id: order.id, status: order.status }
  await requireRoom(tx, { lines, wanted, found: codes, isQueued: true })
  return { id: order.id, status: await settleCodes(tx, order.id) }
}

interface Purchase {
  order: NewOrder
  lines: readonly OrderLine[]
  wanted: ReturnType<typeof wantedCodes>
}

/**
 * Sends all of a purchase with COMMIT, which saves it a round trip: codes alone, that stock should have, and a balance that
 * should suffice. Why a balance does not is found out by the second run.
 */
function buyAtCommit(tx: Tx, { order, lines, wanted }: Purchase): void {
  tx.whenLacking((lack) => toOutOfStock(lines, lack))
  placeAtCommit(tx, order)
  debitAtCommit(tx, purchaseEntry(order))
  for (const line of wanted) sellAtCommit(tx, { ...line, currency: order.currency })
  if (order.cartVersion !== undefined) tx.atCommit(emptyCart(order.userId))
}

interface SoldOffer {
  offer_id: number
  price_version: number
  title: string
  game_amount: number
  game_currency: string
  price_usd: number
  price_rub: number
  buys_on_demand: boolean
  kept: KeptNames
}

/** Finds an offer of codes that is on sale, as it would be charged now. */
const findSoldOffer = (tx: Tx, offerId: number) =>
  tx.maybe<SoldOffer>(sql`
    SELECT offer.id AS offer_id, offer.price_version, texts.title, offer.game_amount::float8 AS game_amount,
      coalesce(nullif(product_region.game_currency, ''), product.game_currency) AS game_currency,
      offer.price_usd, offer.price_rub, product.buys_on_demand, ${keptNames} AS kept
    FROM offer JOIN product ON product.id = offer.product_id ${offerPlace}
    JOIN product_text AS texts ON texts.product_id = product.id AND texts.language = 'ru'
    WHERE offer.id = ${offerId} AND product.kind = 'code' AND ${isOnSale}`)

interface WantedOffer {
  userId: number
  offerId: number
  quantity: number
  currency: Currency
  /** The total the customer saw, in minor units. */
  amount: number
}

/**
 * Buys one offer of codes from the wallet. The cart and its unpaid orders stay as they are; its lock makes the customer's
 * purchases and the freeze of a balance wait for each other. Refuses with OFFER_NOT_FOUND what is not on sale, and with
 * PRICE_CHANGED, OUT_OF_STOCK, INSUFFICIENT_BALANCE or BALANCE_ON_HOLD.
 */
export async function buyNow(
  tx: Tx,
  { userId, offerId, quantity, currency, amount }: WantedOffer,
): Promise<{ id: string; status: OrderStatus }> {
  const { found } = await tx.pipeline({
    cart: (tx) => lockCartVersion(tx, userId),
    found: (tx) => findSoldOffer(tx, offerId),
  })
  if (!found) throw new Failure('OFFER_NOT_FOUND')
  const { buys_on_demand, ...offer } = found
  const line: OrderLine = {
    ...offer,
    id: pastTheCart,
    item_type: 'code',
    product_id: null,
    quantity,
    is_on_sale: true,
    is_on_demand: (await offersOnDemand(tx, buys_on_demand ? [offerId] : [])).has(offerId),
    target: null,
  }
  return buyLines(tx, { userId, currency, amount, lines: [line] })
}

/**
 * Buys a top-up from the wallet without the cart; it is delivered afterwards. An unpaid card order of the same top-up
 * is superseded. Refuses with OFFER_NOT_FOUND, OUT_OF_STOCK, INVALID_AMOUNT, PRICE_CHANGED, STATE_CONFLICT when an
 * equal one was bought a moment ago, COUPON_REFUSED or INSUFFICIENT_BALANCE.
 */
export async function buyTopup(
  tx: Tx,
  wish: TopupWish & { currency: Currency; coupon?: string | undefined; amount?: number | undefined },
): Promise<{ id: string; status: OrderStatus }> {
  const { userId, currency, coupon, amount } = wish
  const { lines, key, equal } = await lockTopup(tx, wish)
  requireSeenPrices(lines, { currency, seen: wish.topup.seen })
  await replaceEqual(tx, equal, wish)

  return buyLines(tx, { userId, currency, coupon, amount, lines, topupKey: key })
}

interface ActivationWish {
  userId: number
  /** The code as the player typed it. */
  code: string
  playerId: string
  playerName: string
}

/**
 * Spends a generated code on a Free Fire player, once. What the code stands for is delivered by an order that costs
 * nothing, because the code was paid for. Returns the order's id. Refuses with CODE_NOT_FOUND or CODE_ALREADY_USED.
 */
export async function activateCode(tx: Tx, vault: Vault, wish: ActivationWish): Promise<string> {
  const { userId, playerId, playerName } = wish
  const code = await lockSpendable(tx, vault, wish.code, userId)
  const id = newOrderId()
  await placeOrder(tx, { id, userId, currency: 'USD', total: 0, status: 'pending', paymentMethod: 'code' }, [
    {
      position: 1,
      itemType: 'topup',
      offerId: code.offer_id,
      priceVersion: code.price_version,
      productId: null,
      unitPrice: 0,
      quantity: 1,
      gameCurrency: code.game_currency,
      status: 'pending',
      target: {
        service: 'freefire',
        account: playerId,
        values: { player_id: playerId },
        playerName,
        steam: null,
      },
    },
  ])
  await spendCode(tx, code, id)
  await queueDeliveries(tx, id)
  return id
}

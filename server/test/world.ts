import { randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import * as LIMITS from '@olmos/contract/limits'
import { openSession } from '../src/modules/accounts/sessions.ts'
import { repriceOffers } from '../src/modules/pricing/reprice.ts'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/queries.ts'
import { raiseAlert } from '../src/platform/live/alert.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from './factories.ts'
import { aPool, type GeneratedBatch, someGenerated } from './game-codes.ts'
import { aPricedOffer } from './priced-offers.ts'
import { anApp, type TestApp } from './second-factor.ts'
import type { TestShop } from './shop.ts'
import { aPlayer, aTopupOrder } from './topup-orders.ts'
import { sellTopups } from './topups.ts'

/**
 * Who may send a request. `owner` is the customer whose things are requested, `stranger` another customer; `demoted`
 * was an admin. `admin` gave the second factor a moment ago, `careless` has one and did not, `factorless` has none.
 */
export const callers = [
  'nobody',
  'invented',
  'expired',
  'loggedOut',
  'blocked',
  'stranger',
  'demoted',
  'owner',
  'admin',
  'careless',
  'factorless',
] as const
export type CallerName = (typeof callers)[number]

/** A shop with one of everything in it, to send requests to. */
export interface World {
  tokens: Record<CallerName, string | undefined>
  admin: TestUser
  careless: TestUser
  /** A customer who was an admin. */
  demoted: TestUser
  /** The admin's second factor, which was given a moment ago. */
  app: TestApp
  owner: TestUser
  /** It is in the owner's cart, and in the owner's order. */
  offer: TestOffer
  password: string
  /** The owner's session on another device. */
  ownerSessionId: number
  cartItemId: number
  orderId: string
  /** The line of that order, which the owner has reviewed. */
  orderItemId: number
  reviewId: number
  codeId: number
  /** The import the code belongs to. */
  batchId: number
  /** A code of the owner's order. */
  soldCodeId: number
  /** A payment of an unpaid order of the stranger's. */
  paymentId: number
  /** A dispute about a card order of somebody else's. */
  disputeId: number
  disputedOrderId: string
  regionId: number
  /** A region nothing is sold in. */
  emptyRegionId: number
  /** A product that stands behind that of the offer in the list. */
  nextProductId: number
  promotionId: number
  /** It can be used by nobody whose cart is empty. */
  coupon: { id: number; code: string }
  /** The owner's. */
  conversationId: number
  /** Takes what the link of a visitor's conversation ends with; of few, each of which few may follow at once. */
  linkToken(): string
  templateId: number
  alertId: number
  /** Somebody who gets messages about alerts, on a channel that is not set up. */
  recipientId: number
  failedMessageId: number
  /** A delivery of the owner's, in the operator's queue. */
  deliveryId: number
  rateId: number
  /** A rule of a category in which nothing is sold. */
  ruleId: number
  /** It waits for an admin, about a package that nobody buys. */
  pendingPriceId: number
  /** A package of a top-up that is bought from the sandbox, and what it is there. */
  sourced: Sourced
  /** The top-up of PUBG. */
  topupId: number
  /** Every way to pay, in the shop's order. */
  methodNames: string[]
  /** A set of permissions that nobody has. */
  roleId: number
  /** A change of the owner's balance that waits for a yes. */
  approvalId: number
  /** Made by the admin, who shares it. */
  orderViewId: number
  /** Asked for by the admin. */
  ownApprovalId: number
  /** Generated codes, none of them sold. */
  generated: GeneratedBatch
  /** Takes the next of them. */
  unspent(): string
  pool: Awaited<ReturnType<typeof aPool>>
  /** Makes a value nobody else has. */
  fresh(): string
}

const password = 'lola-pal0ma'
// Cheaper than real ones: how well it hides a password is not tested here.
const passwordHash = hash(password, { memoryCost: 64, timeCost: 1 })
let count = 0

export async function aWorld(shop: TestShop): Promise<World> {
  const [admin, owner, stranger, demoted, careless, factorless, expired, loggedOut, blocked] = await Promise.all([
    aUser(shop, { role: 'admin' }),
    aUser(shop, { usd: 100_000, rub: 100_000 }),
    aUser(shop, { usd: 100_000 }),
    aUser(shop, { role: 'admin' }),
    aUser(shop, { role: 'admin' }),
    aUser(shop, { role: 'admin' }),
    aUser(shop),
    aUser(shop),
    aUser(shop),
  ])
  const offer = await anOffer(shop, { stock: 10, region: 'TR' })
  const { productId: nextProductId } = await anOffer(shop)
  await sellTopups(shop)
  const { database } = shop
  const asked = ({ id }: TestUser) => sql`
    INSERT INTO approval (call, params, body, amount, currency, asked_by)
    VALUES ('setBalanceOfUser', ${JSON.stringify({ id: owner.id })}, '{"balanceUsd": 1, "reason": "a gift"}', 100, 'USD', ${id})
    RETURNING id`
  // A shop has so many at most, and each world before this one has left some.
  await database.run(sql`DELETE FROM answer_template`)
  await database.run(sql`UPDATE users SET role = 'customer' WHERE id = ${demoted.id}`)
  await database.run(sql`UPDATE session SET expires_at = now() - interval '1 minute' WHERE user_id = ${expired.id}`)
  await database.run(sql`UPDATE users SET blocked_at = now() WHERE id = ${blocked.id}`)
  await shop.call('POST', '/auth/logout', { token: loggedOut.token })
  const app = await anApp(shop, admin.id)
  await anApp(shop, careless.id)
  await database.run(
    sql`UPDATE session SET confirmed_until = now() + interval '10 minutes' WHERE user_id = ${admin.id}`,
  )
  const ids = [admin, owner, stranger, demoted, careless, factorless].map((user) => user.id)
  await database.run(sql`UPDATE users SET password_hash = ${await passwordHash} WHERE id = ANY (${ids})`)

  const asOwner = async (method: 'POST', path: string, body: object) =>
    (await shop.call(method, path, { token: owner.token, body })).body
  await asOwner('POST', '/cart/add', toCart(offer, 2))
  const paid = await asOwner('POST', '/payment/from-balance', { currency: 'USD' })
  const orderItemId = await toId(database, sql`SELECT id FROM order_item WHERE order_id = ${paid.order.id}`)
  await shop.call('PUT', `/orders/${paid.order.id}/items/${orderItemId}/review`, {
    token: owner.token,
    body: { stars: 5, text: 'It works' },
  })
  const added = await asOwner('POST', '/cart/add', toCart(offer))
  const question = { nickname: 'Owner', userId: '1', message: 'Help' }
  const conversation = await asOwner('POST', '/support', question)
  const links: string[] = []
  while (links.length < 3) links.push((await shop.call('POST', '/support', { body: question })).body.link)

  await raiseAlert(database, { kind: 'supplier.out', subject: `supplier ${owner.id}`, details: {} })

  const generated = await someGenerated(shop, admin, { count: callers.length })
  const plainCodes = generated.codes.map(({ plain }) => plain)

  return {
    tokens: {
      nobody: undefined,
      invented: randomBytes(32).toString('base64url'),
      expired: expired.token,
      loggedOut: loggedOut.token,
      blocked: blocked.token,
      stranger: stranger.token,
      demoted: demoted.token,
      owner: owner.token,
      admin: admin.token,
      careless: careless.token,
      factorless: factorless.token,
    },
    admin,
    careless,
    demoted,
    app,
    owner,
    offer,
    password,
    ownerSessionId: await aSessionElsewhere(shop, owner),
    cartItemId: added.data.id,
    orderId: paid.order.id,
    orderItemId,
    reviewId: await toId(database, sql`SELECT id FROM review WHERE order_item_id = ${orderItemId}`),
    conversationId: conversation.id,
    linkToken: () => links[++count % links.length]?.split('#')[1] ?? '',
    templateId: await toId(
      database,
      sql`INSERT INTO answer_template (title, texts)
        VALUES (${`Hello ${++count}`}, '{"ru": "Здравствуйте", "en": "Hello", "uz": "Salom"}') RETURNING id`,
    ),
    alertId: await toId(database, sql`SELECT max(id) AS id FROM alert`),
    ...(await aRecipient(shop)),
    deliveryId: await aStuckDelivery(shop, owner),
    codeId: await toId(database, sql`SELECT max(id) AS id FROM code WHERE offer_id = ${offer.id}`),
    batchId: await toId(database, sql`SELECT max(batch_id) AS id FROM code WHERE offer_id = ${offer.id}`),
    soldCodeId: await toId(
      database,
      sql`SELECT min(id) AS id FROM code WHERE offer_id = ${offer.id} AND status = 'used'`,
    ),
    paymentId: await aPayment(shop, stranger),
    ...(await aDispute(shop)),
    regionId: offer.regionId,
    emptyRegionId: await toId(
      database,
      sql`INSERT INTO region (name, code) VALUES ('Empty', ${`E${++count}`}) RETURNING id`,
    ),
    nextProductId,
    promotionId: await toId(
      database,
      sql`WITH made AS (INSERT INTO promotion (background_color) VALUES ('#112233') RETURNING id)
        INSERT INTO promotion_text SELECT id, 'ru', 'Sale' FROM made RETURNING promotion_id AS id`,
    ),
    coupon: await database.one(sql`
      INSERT INTO coupon (code, percent) VALUES (${`WORLD-${++count}`}, 1000) RETURNING id, code`),
    topupId: await toId(database, sql`SELECT id FROM product WHERE slug = 'pubg'`),
    generated,
    unspent: () => plainCodes.pop() ?? '',
    pool: await aPool(shop, admin),
    rateId: await toId(database, sql`SELECT min(id) AS id FROM currency_rate`),
    ruleId: await toId(
      database,
      sql`INSERT INTO price_rule (scope, category, margin_percent) VALUES ('category', ${`rare-${++count}`}, 10) RETURNING id`,
    ),
    pendingPriceId: await aPendingPrice(shop),
    sourced: await aSource(shop),
    roleId: await toId(
      database,
      sql`INSERT INTO staff_role (name, permissions) VALUES (${`Night ${++count}`}, '{orders.read}') RETURNING id`,
    ),
    orderViewId: await toId(
      database,
      sql`INSERT INTO order_view (user_id, name, filters, is_shared)
        VALUES (${admin.id}, 'Stuck', '{"status": "pending"}', true) RETURNING id`,
    ),
    approvalId: await toId(database, asked(careless)),
    ownApprovalId: await toId(database, asked(admin)),
    methodNames: shop.providers.methods.map(({ method }) => method.name),
    fresh: () => `fresh-${++count}`,
  }
}

/** Makes somebody who gets messages about alerts, and one that was given up. A shop has few: those of worlds long gone leave. */
async function aRecipient({ database }: TestShop): Promise<{ recipientId: number; failedMessageId: number }> {
  await database.run(sql`
    DELETE FROM message_recipient WHERE id <= (SELECT max(id) - ${LIMITS.recipientsMax / 2} FROM message_recipient)`)
  return database.one(sql`
    WITH recipient AS (
      INSERT INTO message_recipient (name, channel, address, language)
      VALUES ('Owner', 'telegram', ${`-100${++count}`}, 'ru') RETURNING id)
    INSERT INTO message (recipient_id, channel, language, payload, is_urgent, state, attempts, fault)
    SELECT id, 'telegram', 'ru', '{"kind": "test"}', true, 'failed', 1, 'blocked' FROM recipient
    RETURNING recipient_id AS "recipientId", id AS "failedMessageId"`)
}

/** Makes a package whose rule wants twice its price. */
async function aPendingPrice(shop: TestShop): Promise<number> {
  const { id } = await aPricedOffer(shop, { base: ['2', 'USD'] })
  await shop.database.transaction((tx) => repriceOffers(tx, { offerIds: [id] }, { adminId: null, because: 'costs' }))
  return toId(shop.database, sql`SELECT id FROM pending_price WHERE offer_id = ${id} AND decided_at IS NULL`)
}

interface Sourced {
  offerId: number
  sourceId: number
  supplierProductId: number
  serviceId: number
  /** The supplier's name of the game. */
  service: string
}

/** Has the sandbox sell a game that it never lists, and a package of the shop be bought there. */
const aSource = (shop: TestShop): Promise<Sourced> =>
  shop.database.one<Sourced>(sql`
    WITH service AS (
      INSERT INTO supplier_service (supplier, reference, title) VALUES ('sandbox', ${`world-${++count}`}, ${`World ${count}`})
      RETURNING id, reference),
    sold AS (
      INSERT INTO supplier_product (supplier, reference, service_id, kind, name, cost, currency)
      SELECT 'sandbox', reference || '/60', id, 'topup', '60 UC', 0.5, 'USD' FROM service RETURNING id),
    source AS (
      INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank)
      SELECT (SELECT min(offer.id) FROM offer JOIN product ON product.id = product_id WHERE slug = 'pubg'), 'supplier', id, 1
      FROM sold RETURNING id, offer_id, supplier_product_id)
    SELECT source.offer_id AS "offerId", source.id AS "sourceId", source.supplier_product_id AS "supplierProductId",
      service.id AS "serviceId", service.reference AS service
    FROM source, service`)

/** Makes a card payment the user has begun. The cart is empty again afterwards. */
async function aPayment(shop: TestShop, user: TestUser): Promise<number> {
  const offer = await anOffer(shop, { stock: 1 })
  await shop.call('POST', '/cart/add', { token: user.token, body: toCart(offer) })
  const body = { amount: offer.priceUsd / 100, currency: 'USD', type: 'order' }
  await shop.call('POST', '/payment/create', { token: user.token, body })
  await shop.call('POST', '/cart/clear', { token: user.token, body: {} })
  return toId(
    shop.database,
    sql`
    SELECT max(payment.id) AS id FROM payment JOIN orders ON orders.id = order_id WHERE user_id = ${user.id}`,
  )
}

/** Makes a card order of a new customer, whose bank disputes it. */
async function aDispute(shop: TestShop): Promise<{ disputeId: number; disputedOrderId: string }> {
  const paymentId = await aPayment(shop, await aUser(shop))
  const { order_id, bank_id } = await shop.database.one<{ order_id: string; bank_id: string }>(
    sql`SELECT order_id, provider_payment_id AS bank_id FROM payment WHERE id = ${paymentId}`,
  )
  for (const action of ['pay', 'dispute']) {
    await shop.call('POST', `/sandbox/payments/${bank_id}/act`, { body: { action } })
  }
  const disputeId = await toId(shop.database, sql`SELECT id FROM dispute WHERE payment_id = ${paymentId}`)
  return { disputeId, disputedOrderId: order_id }
}

async function aSessionElsewhere({ database }: TestShop, user: TestUser): Promise<number> {
  await openSession(database, { id: user.id, password_hash: await passwordHash })
  return toId(database, sql`SELECT max(id) AS id FROM session WHERE user_id = ${user.id}`)
}

async function aStuckDelivery(shop: TestShop, buyer: TestUser): Promise<number> {
  // When deliveries are worked on, the supplier never says what became of it.
  const { orderId } = await aTopupOrder(shop, { buyer, players: [aPlayer('6004')] })
  return toId(
    shop.database,
    sql`UPDATE delivery SET operator_since = now() FROM order_item
      WHERE order_item.id = order_item_id AND order_id = ${orderId} RETURNING delivery.id`,
  )
}

const toId = async (database: Database, statement: ReturnType<typeof sql>): Promise<number> =>
  (await database.one<{ id: number }>(statement)).id

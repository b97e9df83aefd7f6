import { sql } from '../../server/src/platform/database/queries.ts'
import { aUser, type TestUser } from '../../server/test/factories.ts'
import type { TestShop } from '../../server/test/shop.ts'
import { aWorld, type CallerName, type World } from '../../server/test/world.ts'
import { type Canaries, plantCanaries } from './canaries.ts'

/** Who sends: those of the access table who are somebody of their own. The dead ones have no more rights than nobody. */
export const fuzzCallers = ['nobody', 'owner', 'stranger', 'admin', 'careless'] as const satisfies readonly CallerName[]
export type FuzzCaller = (typeof fuzzCallers)[number]

/** A shop with one of everything in it, and the callers that a stretch of the run sends as. */
export interface FuzzWorld extends World {
  /** Whom requests are turned to that would end one of the callers. */
  bystander: TestUser
  strangerId: number
  /** A session of somebody who was made for it. */
  spareToken(): Promise<string>
  /** Numbers and texts that name something that exists, of any owner. */
  ids: readonly (string | number)[]
  canaries: Canaries
  /** Set by the run when one of the callers was logged out: the rest of the stretch goes on in another world. */
  isOver: boolean
}

/** Everything in it is made by a node in this process; the callers' own calls over the wire come later. */
export async function aFuzzWorld(shop: TestShop): Promise<FuzzWorld> {
  const world = await aWorld(shop)
  const { database } = shop
  const bystander = await aUser(shop, { usd: 1_000 })
  const stranger = await database.one<{ id: number; nickname: string; bank_id: string; order_id: string }>(sql`
    SELECT users.id, nickname, provider_payment_id AS bank_id, orders.id AS order_id
    FROM payment JOIN orders ON orders.id = order_id JOIN users ON users.id = user_id
    WHERE payment.id = ${world.paymentId}`)
  return {
    ...world,
    bystander,
    strangerId: stranger.id,
    spareToken: async () => {
      const { id, token } = await aUser(shop)
      // A password that can be checked, as everybody has who came by the front door.
      await database.run(sql`
        UPDATE users SET password_hash = owner.password_hash FROM users AS owner
        WHERE users.id = ${id} AND owner.id = ${world.owner.id}`)
      return token
    },
    ids: [
      ...[world.owner.id, stranger.id, bystander.id, world.admin.id, stranger.bank_id, stranger.order_id],
      ...[world.orderId, world.disputedOrderId, world.cartItemId, world.codeId, world.batchId, world.soldCodeId],
      ...[
        world.paymentId,
        world.disputeId,
        world.regionId,
        world.emptyRegionId,
        world.promotionId,
        world.conversationId,
      ],
      ...[world.alertId, world.deliveryId, world.rateId, world.offer.id, world.offer.productId, world.offer.slug],
      ...[world.generated.productId, world.generated.denominationId, world.generated.batchId],
      ...[world.pool.denominationId, ...world.pool.ids, ...world.generated.codes.map(({ id }) => id)],
    ],
    canaries: await plantCanaries(shop, world, { ...stranger, orderId: stranger.order_id }),
    isOver: false,
  }
}

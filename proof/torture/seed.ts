import { analyzeFilled } from '../../server/src/modules/operations/fill-demo.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { Vault } from '../../server/src/platform/security/vault.ts'
import { anOffer, aUser, type TestOffer, type TestUser } from '../../server/test/factories.ts'

export interface Shopper extends TestUser {
  /** Bought for by many clients at once, while an admin sets the balance; the others by one client at a time. */
  isHot: boolean
  /** Minor units. */
  startedWith: number
}

export interface Stock {
  admin: TestUser
  shoppers: Shopper[]
  /** Most wanted first. */
  offers: TestOffer[]
}

export interface StockWish {
  secretKey: Buffer
  codes: number
  hotUsers: number
  otherUsers: number
}

/** Shares of the codes, by offer: two hot offers and four that few want. */
const shelves = [0.45, 0.35, 0.05, 0.05, 0.05, 0.05]
const hotMoney = 2_000
const otherMoney = 100_000_000

/** Fills the migrated database: a product with its codes, and shoppers with money who are logged in. */
export async function stockShop(database: Database, wish: StockWish): Promise<Stock> {
  const shop = { database, vault: await Vault.open(database, wish.secretKey) }
  const offers: TestOffer[] = []
  for (const [index, share] of shelves.entries()) {
    offers.push(
      await anOffer(shop, {
        gameAmount: index + 1,
        priceUsd: 100 + 50 * index,
        priceRub: 9_000 + 4_000 * index,
        stock: Math.ceil(wish.codes * share),
        ...(offers[0] && { productId: offers[0].productId }),
      }),
    )
  }
  const admin = await aUser(shop, { role: 'admin' })
  const shoppers: Shopper[] = []
  for (let n = 0; n < wish.hotUsers + wish.otherUsers; n++) {
    const isHot = n < wish.hotUsers
    const startedWith = isHot ? hotMoney : otherMoney
    shoppers.push({ ...(await aUser(shop, { usd: startedWith })), isHot, startedWith })
  }
  await analyzeFilled(database)
  // What a planted break loses is to be orders, not the tables they are in: this commit waits for all that is before it.
  await database.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL synchronous_commit = on`)
    await tx.run(sql`UPDATE product SET position = position`)
  })
  return { admin, shoppers, offers }
}

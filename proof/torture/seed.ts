import { randomBytes } from 'node:crypto'
import { insertUser } from '../../server/src/modules/accounts/accounts.store.ts'
import { openSession } from '../../server/src/modules/accounts/sessions.ts'
import { insertOffer } from '../../server/src/modules/catalogue/products.store.ts'
import { addProduct } from '../../server/src/modules/catalogue/products.ts'
import { importCodes } from '../../server/src/modules/codes/import-codes.ts'
import { credit } from '../../server/src/modules/wallet/wallet.ts'
import { type Database, sql } from '../../server/src/platform/database/database.ts'
import { Vault } from '../../server/src/platform/security/vault.ts'

export interface Shopper {
  id: number
  token: string
  /** Bought for by many clients at once, while an admin sets the balance; the others by one client at a time. */
  isHot: boolean
  /** Minor units. */
  startedWith: number
}

export interface Offer {
  productId: number
  gameAmount: number
  priceUsd: number
  priceRub: number
}

export interface Stock {
  admin: { token: string }
  shoppers: Shopper[]
  /** Most wanted first. */
  offers: Offer[]
}

export interface StockWish {
  secretKey: Buffer
  codes: number
  hotUsers: number
  otherUsers: number
}

/** Of the codes, by offer: two hot offers and four that few want. */
const shelves = [0.45, 0.35, 0.05, 0.05, 0.05, 0.05]
const hotMoney = 2_000
const otherMoney = 100_000_000

/** Fills the migrated database: a product with its codes, and shoppers with money who are logged in. */
export async function stockShop(database: Database, wish: StockWish): Promise<Stock> {
  const vault = await Vault.open(database, wish.secretKey)
  const offers = await stockShelves(database, vault, wish.codes)
  const admin = await addUser(database, 'admin', 'admin', 0)
  const shoppers: Shopper[] = []
  for (let n = 0; n < wish.hotUsers + wish.otherUsers; n++) {
    const isHot = n < wish.hotUsers
    const startedWith = isHot ? hotMoney : otherMoney
    shoppers.push({ ...(await addUser(database, `shopper_${n}`, 'customer', startedWith)), isHot, startedWith })
  }
  // Plans made for empty tables are bad ones for full tables, and connections keep them.
  await database.run(sql`ANALYZE`)
  return { admin, shoppers, offers }
}

async function stockShelves(database: Database, vault: Vault, codes: number): Promise<Offer[]> {
  return database.transaction(async (tx) => {
    const text = { title: 'Torture', description: '', activationInstructions: '' }
    const productId = await addProduct(tx, {
      slug: 'torture',
      kind: 'code',
      category: [],
      keywords: [],
      gameCurrency: 'coins',
      imageUrl: '',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: 1,
      texts: { ru: text },
      regions: [],
    })
    const offers: Offer[] = []
    for (const [index, share] of shelves.entries()) {
      const offer = { productId, gameAmount: index + 1, priceUsd: 100 + 50 * index, priceRub: 9_000 + 4_000 * index }
      await insertOffer(tx, { productId, regionId: null }, { ...offer, isPopular: false })
      const tail = `${offer.priceUsd / 100},${offer.priceRub / 100},${offer.gameAmount}`
      const lines = Array.from({ length: Math.ceil(codes * share) }, () => `${randomBytes(12).toString('hex')},${tail}`)
      await importCodes(tx, vault, { productId, regionId: null, lines, dryRun: false, adminId: null })
      offers.push(offer)
    }
    return offers
  })
}

async function addUser(database: Database, nickname: string, role: 'customer' | 'admin', usd: number) {
  // Nobody logs in with a password here.
  const user = await insertUser(database, { nickname, nicknameKey: nickname, passwordHash: 'none', role })
  if (!user) throw new Error(`the nickname ${nickname} is taken`)
  if (usd > 0) {
    await database.transaction((tx) =>
      credit(tx, { userId: user.id, currency: 'USD', amount: usd, kind: 'adjustment', shopAccount: 'adjustments' }),
    )
  }
  return { id: user.id, token: await openSession(database, user) }
}

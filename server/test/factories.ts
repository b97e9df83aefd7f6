import type { BuiltInRole } from '@olmos/contract/permissions'
import { insertUser } from '../src/modules/accounts/accounts.store.ts'
import { nicknameKey } from '../src/modules/accounts/accounts.ts'
import { openSession } from '../src/modules/accounts/sessions.ts'
import { addProduct } from '../src/modules/catalogue/change-product.ts'
import { insertOffer } from '../src/modules/catalogue/products.ts'
import { importCodes } from '../src/modules/codes/import-codes.ts'
import { insertRegion } from '../src/modules/regions/regions.ts'
import { credit } from '../src/modules/wallet/wallet.ts'
import { sql } from '../src/platform/database/queries.ts'
import type { TestShop } from './shop.ts'

let count = 0
const next = () => ++count

export interface TestUser {
  id: number
  nickname: string
  token: string
}

export interface UserWish {
  role?: 'customer' | 'admin'
  /** What an admin does in the shop; an owner by default. */
  staff?: BuiltInRole
  /** In minor units. */
  usd?: number
  rub?: number
}

/** A logged-in user with money. The password is nobody's: logging in is what the tests of accounts do. */
export async function aUser(
  shop: Pick<TestShop, 'database'>,
  { staff, role = staff ? 'admin' : 'customer', usd = 0, rub = 0 }: UserWish = {},
): Promise<TestUser> {
  const nickname = `user_${next()}`
  const user = await insertUser(shop.database, {
    nickname,
    nicknameKey: nicknameKey(nickname),
    passwordHash: 'none',
    role,
  })
  if (!user) throw new Error('the nickname is taken')
  if (staff) {
    await shop.database.run(sql`
      UPDATE users SET staff_role_id = (SELECT id FROM staff_role WHERE built_in = ${staff}) WHERE id = ${user.id}`)
  }
  const money = { USD: usd, RUB: rub }
  await shop.database.transaction(async (tx) => {
    for (const currency of ['USD', 'RUB'] as const) {
      if (money[currency] === 0) continue
      await credit(tx, {
        userId: user.id,
        currency,
        amount: money[currency],
        kind: 'adjustment',
        shopAccount: 'adjustments',
      })
    }
  })
  return { id: user.id, nickname, token: await openSession(shop.database, user) }
}

/** Makes more users with similar nicknames than a list names one by one when it is searched for `user_`. */
export const aCrowd = (shop: TestShop) =>
  shop.database.run(sql`
    INSERT INTO users (nickname, nickname_key, password_hash)
    SELECT 'user_of_crowd_' || n, 'user_of_crowd_' || n, 'none' FROM generate_series(1, 1001) AS n`)

export interface TestOffer {
  id: number
  productId: number
  slug: string
  regionId: number
  gameAmount: number
  /** In minor units. */
  priceUsd: number
  priceRub: number
  codes: string[]
}

export interface OfferWish {
  stock?: number
  priceUsd?: number
  priceRub?: number
  gameAmount?: number
  region?: string
  isPopular?: boolean
  /** The product to add it to; a new one by default. */
  productId?: number
  /** What each code cost; unknown by default. */
  cost?: { cost: string; currency: string }
}

const title = (n: number, language: string) => ({
  title: `Product ${n} ${language}`,
  description: 'A description',
  activationInstructions: 'Open the game and enter the code.',
})

/** An offer on sale with codes in stock, at $1.00 or 80 ₽. */
export async function anOffer(shop: Pick<TestShop, 'database' | 'vault'>, wish: OfferWish = {}): Promise<TestOffer> {
  const n = next()
  const { stock = 0, priceUsd = 100, priceRub = 8_000, gameAmount = 100, isPopular = false } = wish
  const slug = `product-${n}`
  const codes = Array.from({ length: stock }, (_, index) => `CODE-${n}-${index}`)
  return shop.database.transaction(async (tx) => {
    const regionId = wish.region
      ? await insertRegion(tx, { code: `${wish.region}${n}`, name: wish.region, flag: '🏳️' })
      : null
    const productId =
      wish.productId ??
      (await addProduct(tx, {
        slug,
        kind: 'code',
        category: ['games'],
        keywords: [`word${n}`],
        gameCurrency: 'coins',
        imageUrl: '/art/roblox.svg',
        supportsCodeGeneration: false,
        codePrefix: null,
        position: n,
        texts: { ru: title(n, 'ru'), en: title(n, 'en'), uz: title(n, 'uz') },
        regions: regionId === null ? [] : [{ regionId, gameCurrency: null }],
      }))
    const place = { productId, regionId }
    const id = await insertOffer(tx, place, { gameAmount, priceUsd, priceRub, isPopular })
    const lines = codes.map((code) => `${code},${priceUsd / 100},${priceRub / 100},${gameAmount}`)
    const purchase = wish.cost && { ...wish.cost, timeZone: sql`'UTC'` }
    if (stock > 0)
      await importCodes(tx, shop.vault, { ...place, lines, purchase, dryRun: false, adminId: null, mayPrice: true })
    return { id, productId, slug, regionId: regionId ?? 0, gameAmount, priceUsd, priceRub, codes }
  })
}

/** Makes the body that adds the offer to a cart. */
export const toCart = (offer: TestOffer, quantity = 1) => ({
  productId: offer.productId,
  gameAmount: offer.gameAmount,
  priceUsd: offer.priceUsd / 100,
  priceRub: offer.priceRub / 100,
  gameCurrency: 'coins',
  quantity,
  regionId: offer.regionId,
})

export interface TestFee {
  /** In hundredths of a percent. */
  percent?: number
  /** In cents, and in kopecks. */
  usd?: number
  rub?: number
  bearer?: 'shop' | 'customer'
  isRefunded?: boolean
}

/** Says what a way to pay costs; nothing, unless wished. */
export const setFee = (
  { database }: Pick<TestShop, 'database'>,
  method: string,
  { percent = 0, usd = 0, rub = 0, bearer = 'customer', isRefunded = false }: TestFee = {},
) =>
  database.run(sql`
    INSERT INTO payment_method (name, is_on, fee_percent, fee_usd, fee_rub, fee_bearer, is_fee_refunded)
    VALUES (${method}, true, ${percent}::int / 100.0, ${usd}, ${rub}, ${bearer}, ${isRefunded})
    ON CONFLICT (name) DO UPDATE SET fee_percent = excluded.fee_percent, fee_usd = excluded.fee_usd, fee_rub = excluded.fee_rub,
      fee_bearer = excluded.fee_bearer, is_fee_refunded = excluded.is_fee_refunded, version = payment_method.version + 1`)

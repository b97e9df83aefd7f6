import { addProduct } from '../src/modules/catalogue/change-product.ts'
import { addDenomination } from '../src/modules/catalogue/denominations.ts'
import { codeRow } from '../src/modules/codes/codes.store.ts'
import { generateCodes } from '../src/modules/codes/generated-codes.ts'
import { importPool } from '../src/modules/codes/pool-codes.ts'
import { sql } from '../src/platform/database/queries.ts'
import type { Sealed } from '../src/platform/security/vault.ts'
import type { TestUser } from './factories.ts'
import type { TestShop } from './shop.ts'
import { sellTopups } from './topups.ts'

let count = 0

const title = (language: string) => ({
  title: `Free Fire codes ${language}`,
  description: 'A code for diamonds',
  activationInstructions: 'Enter it on the page of Free Fire.',
})

/** Makes a product whose codes the shop generates. */
export const aCodeProduct = (shop: TestShop): Promise<number> =>
  shop.database.transaction((tx) =>
    addProduct(tx, {
      slug: `freefire-codes-${++count}`,
      kind: 'code',
      category: ['games'],
      keywords: [],
      gameCurrency: 'diamonds',
      imageUrl: '/art/freefire-codes.svg',
      supportsCodeGeneration: true,
      codePrefix: 'FF',
      codeGame: 'freefire',
      position: 0,
      texts: { ru: title('ru'), en: title('en'), uz: title('uz') },
      regions: [],
    }),
  )

/** Makes a new denomination, at $1.00 or 80 ₽. */
export async function aDenomination(shop: TestShop, admin: TestUser, game: 'pubg' | 'freefire') {
  await sellTopups(shop)
  const gameAmount = 1_000_000 + ++count
  const { id } = await shop.database.transaction((tx) =>
    addDenomination(tx, admin.id, game, {
      name: game === 'freefire' ? `${gameAmount} diamonds` : null,
      item_id: `${game}_test/${gameAmount}`,
      game_amount: gameAmount,
      price_usd: 100,
      price_rub: 8_000,
      is_active: true,
    }),
  )
  return { id, gameAmount }
}

export interface GeneratedBatch {
  productId: number
  denominationId: number
  gameAmount: number
  offerId: number
  batchId: number
  /** Oldest first. */
  codes: { id: number; plain: string }[]
}

/** Generates codes of a new product and a new denomination. */
export async function someGenerated(
  shop: TestShop,
  admin: TestUser,
  { count: wanted = 3, published = true } = {},
): Promise<GeneratedBatch> {
  const [productId, denomination] = await Promise.all([aCodeProduct(shop), aDenomination(shop, admin, 'freefire')])
  const denominationId = denomination.id
  const batch = await shop.database.transaction((tx) =>
    generateCodes(tx, shop.vault, {
      productId,
      denominationId,
      count: wanted,
      published,
      adminId: admin.id,
      mayPrice: true,
    }),
  )
  const rows = await shop.database.rows<Sealed & { id: number }>(sql`
    SELECT id, key_id AS "keyId", ciphertext FROM code WHERE batch_id = ${batch.batch_id} ORDER BY id`)
  const codes = await Promise.all(
    rows.map(async (row) => ({ id: row.id, plain: await shop.vault.unseal(row, codeRow(row.id)) })),
  )
  return {
    productId,
    denominationId,
    gameAmount: denomination.gameAmount,
    offerId: batch.offer_id,
    batchId: batch.batch_id,
    codes,
  }
}

/** Adds codes to the pool of a new PUBG denomination. */
export async function aPool(shop: TestShop, admin: TestUser, stock = 3) {
  const { id: denominationId, gameAmount } = await aDenomination(shop, admin, 'pubg')
  const codes = Array.from({ length: stock }, (_, index) => `UCPOOL${count}X${index}`)
  await shop.database.transaction((tx) =>
    importPool(tx, shop.vault, { denominationId, lines: codes, dryRun: false, adminId: admin.id }),
  )
  const rows = await shop.database.rows<{ id: number }>(
    sql`SELECT id FROM code WHERE offer_id = ${denominationId} ORDER BY id`,
  )
  return { denominationId, gameAmount, codes, ids: rows.map(({ id }) => id) }
}

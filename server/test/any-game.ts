import type { EditedField } from '@olmos/contract/account-fields'
import { addProduct } from '../src/modules/catalogue/change-product.ts'
import { insertOffer } from '../src/modules/catalogue/products.ts'
import type { TestShop } from './shop.ts'

let count = 0

type Draft = Parameters<typeof addProduct>[1]

/** A game that is asked for by an id and a server, with its offers. */
export interface TestGame {
  slug: string
  productId: number
  /** At $1 or 80 ₽, and at $5 or 400 ₽. */
  offers: [small: number, large: number]
}

const servers = [
  { value: 'os_asia', labels: { ru: 'Азия', en: 'Asia', uz: 'Osiyo' } },
  { value: 'os_euro', labels: { ru: 'Европа', en: 'Europe', uz: 'Yevropa' } },
]

/** What the game asks for. */
export const gameFields: (Pick<EditedField, 'key' | 'type' | 'labels'> & Partial<EditedField>)[] = [
  { key: 'user_id', type: 'digits', labels: { ru: 'ID игрока', en: 'Player ID', uz: 'Oʻyinchi ID raqami' } },
  { key: 'server', type: 'select', labels: { ru: 'Сервер', en: 'Server' }, options: servers },
]

/** Has the shop sell a game that is like no other. */
export async function aGame(shop: Pick<TestShop, 'database'>, more: Partial<Draft> = {}): Promise<TestGame> {
  const slug = `game-${++count}`
  const text = { title: `Game ${count}`, description: '', activationInstructions: '' }
  return shop.database.transaction(async (tx) => {
    const productId = await addProduct(tx, {
      slug,
      kind: 'topup',
      category: [],
      keywords: [],
      gameCurrency: 'Crystals',
      imageUrl: '',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: count,
      playerCheck: 'required',
      fields: gameFields,
      texts: { ru: text },
      regions: [],
      ...more,
    })
    const place = { productId, regionId: null }
    const small = { gameAmount: 60, priceUsd: 100, priceRub: 8_000, isPopular: false, itemId: `${slug}/60` }
    const large = { gameAmount: 300, priceUsd: 500, priceRub: 40_000, isPopular: true, itemId: `${slug}/300` }
    return {
      slug,
      productId,
      offers: [await insertOffer(tx, place, small), await insertOffer(tx, place, { ...large, name: 'Large pack' })],
    }
  })
}

/** What a customer sends to buy small packs of it. */
export const gameTopup = (
  { slug, offers: [small] }: TestGame,
  { account = {}, quantity = 1 }: { account?: Record<string, string>; quantity?: number } = {},
) => ({
  service: slug,
  account: { user_id: '800123456', server: 'os_asia', ...account },
  offers: [{ offer_id: small, quantity }],
  price_usd: quantity,
  price_rub: 80 * quantity,
})

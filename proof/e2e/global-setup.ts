import { callsTo, importCodes, listOffers, logIn } from '../operator.ts'
import { admin, startStore } from './start-store.ts'

/**
 * Puts a thousand codes of the package that most journeys buy onto its shelf. They start payments that nobody finishes,
 * and all unpaid orders together may reserve half of a shelf for a quarter of an hour.
 */
async function fillShelf(url: string): Promise<void> {
  const { token } = await logIn(callsTo(url), admin)
  const operator = callsTo(url, token)
  const product = await operator<{ id: number }>('GET', '/products/slug/roblox')
  const [offer] = await listOffers(operator, product.id)
  if (!offer) throw new Error('The demonstration has no package of Roblox')
  const prices = [offer.price_usd, offer.price_rub, offer.game_amount].join(',')
  const lines = Array.from({ length: 1_000 }, () => `SHELF-${crypto.randomUUID()},${prices}`)
  await importCodes(operator, { productId: product.id, regionId: 0, lines })
}

/** One store for all journeys, at STORE_URL. A journey that stops its store starts one of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const store = await startStore()
  await fillShelf(store.url)
  process.env.STORE_URL = store.url
  return () => store.stop()
}

import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import type { GameRefusal, TakenGame, TakenOver } from '@olmos/contract/take-over'
import type { Database } from '../../platform/database/database.ts'
import { orDuplicate } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { addProduct, nextPosition } from '../catalogue/change-product.ts'
import { toSlug } from '../catalogue/product.rules.ts'
import { insertOffer } from '../catalogue/products.ts'
import { lockPrices, repriceOffers, startPricing } from '../pricing/reprice.ts'
import { dollarRates } from '../rates/rates.ts'
import { readNumbers } from '../shop/shop.ts'
import type { VendorField } from '../topups/supplier.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import { fitService, joinSources, linkServices } from './sources.ts'
import {
  type AskedFields,
  type OfferRow,
  type Plan,
  planOffers,
  readUnit,
  type SoldRow,
  type TakenPricing,
  toAskedFields,
} from './take-over.rules.ts'

/** Locks a game of a supplier until the transaction ends: it is taken over once at a time. */
const lockService = (tx: Tx, supplier: string, reference: string) =>
  tx.maybe<TakenService>(sql`
    SELECT id, title, kind, check_reference, fields, field_names FROM supplier_service
    WHERE supplier = ${supplier} AND reference = ${reference} AND gone_at IS NULL FOR NO KEY UPDATE`)

const readSold = (queries: Queries, supplier: string, references: readonly string[]) =>
  queries.rows<SoldRow>(sql`
    SELECT id, reference, service_id, name, cost::text AS cost, currency, quantity_min, gone_at IS NOT NULL AS is_gone
    FROM supplier_product WHERE supplier = ${supplier} AND reference = ANY (${references}::text[])`)

const readOffers = (tx: Tx, productId: number) =>
  tx.rows<OfferRow>(sql`
    SELECT id, region_id, game_amount, (
      SELECT coalesce(json_agg(supplier_product_id), '[]') FROM offer_source
      WHERE offer_id = offer.id AND supplier_product_id IS NOT NULL) AS bought
    FROM offer WHERE product_id = ${productId} AND deleted_at IS NULL`)

interface Wish extends Omit<TakenPricing, 'rates' | 'numbers'> {
  supplier: string
  adminId: number
  isActive: boolean
}

interface Shop {
  database: Database
  suppliers: Suppliers
}

type Take = (tx: Tx) => Promise<TakenOver>

/** Takes each game by `carryOut`, which runs it in a transaction of its own: one that can't be taken does not keep the others. */
async function takeEach(
  { database, suppliers }: Shop,
  games: readonly TakenGame[],
  wish: Wish,
  carryOut: (take: Take) => Promise<TakenOver>,
): Promise<TakenOver[]> {
  const [rates, numbers] = [await dollarRates(database), await readNumbers(database)]
  const answers: TakenOver[] = []
  for (const game of games) {
    const take: Take = (tx) => takeGame(tx, game, { ...wish, rates, numbers, suppliers })
    answers.push(await orRefused(game, () => carryOut(take)))
  }
  return answers
}

/** Sells games of a supplier's catalogue. What is there already stays as it is. */
export const takeOver = (shop: Shop, games: readonly TakenGame[], wish: Wish): Promise<TakenOver[]> =>
  takeEach(shop, games, wish, (take) => shop.database.transaction(take))

/** What would be taken over, which is undone once it is known. */
class Previewed extends Error {
  readonly answer: TakenOver
  constructor(answer: TakenOver) {
    super('a preview')
    this.answer = answer
  }
}

/**
 * Shows what taking games over would make, and at which prices: each is taken over, and that is undone. What is not there
 * yet has no id.
 */
export const previewTakeOver = (shop: Shop, games: readonly TakenGame[], wish: Wish): Promise<TakenOver[]> =>
  takeEach(shop, games, wish, (take) => {
    const show: Take = async (tx) => {
      throw new Previewed(await take(tx))
    }
    return shop.database.transaction(show).catch(toPreview)
  })

function toPreview(error: unknown): TakenOver {
  if (!(error instanceof Previewed)) throw error
  const { answer } = error
  const offers = answer.offers.map((offer) => (offer.outcome === 'made' ? { ...offer, offer_id: null } : offer))
  return { ...answer, product_id: answer.outcome === 'made' ? null : answer.product_id, offers }
}

async function orRefused({ service }: TakenGame, take: () => Promise<TakenOver>): Promise<TakenOver> {
  const refused = { service, outcome: 'refused' as const, slug: null }
  try {
    return await take()
  } catch (error) {
    if (error instanceof GameRefused) return { ...refused, reason: error.reason, ...error.details }
    // Somebody else took the address at the same moment.
    if (error instanceof Failure && error.code === 'DUPLICATE')
      return { ...refused, reason: 'slug_taken', ...new GameRefused('slug_taken').details }
    throw error
  }
}

interface Means extends Wish, TakenPricing {
  suppliers: Suppliers
}

async function takeGame(tx: Tx, game: TakenGame, means: Means): Promise<TakenOver> {
  await lockPrices(tx)
  const service = await lockService(tx, means.supplier, game.service)
  if (!service) throw new GameRefused('service_not_found')
  const product = await findTaken(tx, game, service)
  const offers = product ? await readOffers(tx, product.id) : []
  const sold = await readSold(tx, means.supplier, toReferences(game))
  const plans = planOffers(game.offers, sold, { service, offers, pricing: means })
  const refused = plans.flatMap((plan) => (plan.outcome === 'refused' ? [toSettled(plan)] : []))
  if (refused.length === plans.length) {
    const offers = await showOffers(tx, refused, sold)
    throw new GameRefused('nothing_left', { product_id: product?.id ?? null, offers })
  }
  const { id, slug } = product ?? (await makeProduct(tx, game, service, toPlannedNames(plans)))
  await linkServices(tx, id, [service.id])
  const settled: Settled[] = []
  for (const plan of plans) settled.push(await carryOut(tx, plan, { id, isNew: !product }, means))
  if (!(await priceTakenOffers(tx, id, settled, means)))
    throw new GameRefused('no_cost', { product_id: product?.id ?? null })
  const shown = await showOffers(tx, settled, sold)
  const isChanged = shown.some(({ outcome }) => outcome === 'made' || outcome === 'joined')
  const outcome = product ? (isChanged ? 'added' : 'unchanged') : 'made'
  if (outcome !== 'unchanged') await note(tx, { id, slug, outcome, service: game.service, shown }, means)
  return { service: game.service, outcome, reason: null, fields: [], product_id: id, slug, offers: shown }
}

const toReferences = ({ offers }: TakenGame): string[] => offers.map(({ reference }) => reference)
const toPlannedNames = (plans: readonly Plan[]): string[] =>
  plans.flatMap((plan) => (plan.outcome === 'make' ? [plan.sold.name] : []))

/** Makes the offer, or adds the source. An offer of a product that is not on sale is not sold before that is. */
async function carryOut(
  tx: Tx,
  plan: Plan,
  product: { id: number; isNew: boolean },
  { isActive, suppliers }: Means,
): Promise<Settled> {
  if (plan.outcome === 'refused' || plan.outcome === 'unchanged') return toSettled(plan)
  if (plan.outcome === 'join') {
    await joinSources(tx, plan.offerId, suppliers, plan.sold.id)
    return { reference: plan.sold.reference, outcome: 'joined', reason: null, offer_id: plan.offerId }
  }
  const { gameAmount, priceUsd, priceRub, sold } = plan
  const offerId = await insertOffer(
    tx,
    { productId: product.id, regionId: null },
    {
      gameAmount,
      priceUsd,
      priceRub,
      isPopular: false,
      name: sold.name.slice(0, LIMITS.denominationNameMax).trim(),
      isActive: product.isNew || isActive,
    },
  )
  await joinSources(tx, offerId, suppliers, sold.id)
  return { reference: sold.reference, outcome: 'made', reason: null, offer_id: offerId }
}

/**
 * Has rules make the prices of what is new, where that is wanted, and learns what all of the product costs now. False where
 * no rule can, as the supplier does not sell such things at the moment: prices would stay what the list says to be the cost.
 */
async function priceTakenOffers(
  tx: Tx,
  productId: number,
  settled: readonly Settled[],
  { adminId, isByRule }: Means,
): Promise<boolean> {
  const made = settled.flatMap(({ outcome, offer_id }) => (outcome === 'made' && offer_id !== null ? [offer_id] : []))
  if (isByRule && made.length > 0 && !(await startPricing(tx, adminId, made))) return false
  await repriceOffers(tx, { productId }, { adminId, because: 'offer' })
  return true
}

type ShownOffer = TakenOver['offers'][number]
/** What became of a supplier's product. */
type Settled = Pick<ShownOffer, 'reference' | 'outcome' | 'reason' | 'offer_id'>

const toSettled = (plan: Extract<Plan, { outcome: 'refused' | 'unchanged' }>): Settled => ({
  reference: plan.reference,
  outcome: plan.outcome,
  reason: plan.outcome === 'refused' ? plan.reason : null,
  offer_id: plan.offerId,
})

/** Adds what the supplier calls each product, what its offer is sold at and what it costs. */
async function showOffers(tx: Tx, settled: readonly Settled[], sold: readonly SoldRow[]): Promise<ShownOffer[]> {
  const ids = settled.flatMap(({ outcome, offer_id }) => (outcome === 'refused' ? [] : (offer_id ?? [])))
  const offers = await tx.rows<{
    id: number
    price_usd: number
    price_rub: number
    floor_usd: number | null
    floor_rub: number | null
  }>(sql`SELECT id, price_usd, price_rub, floor_usd, floor_rub FROM offer WHERE id = ANY (${ids}::int[])`)
  return settled.map((each) => {
    const offer = each.outcome === 'refused' ? undefined : offers.find(({ id }) => id === each.offer_id)
    const shown = (minor: number | null | undefined) => (minor === null || minor === undefined ? null : toMajor(minor))
    return {
      ...each,
      name: sold.find(({ reference }) => reference === each.reference)?.name ?? null,
      price_usd: shown(offer?.price_usd),
      price_rub: shown(offer?.price_rub),
      floor_usd: shown(offer?.floor_usd),
      floor_rub: shown(offer?.floor_rub),
    }
  })
}

interface Taken {
  id: number
  slug: string
  outcome: 'made' | 'added'
  service: string
  shown: TakenOver['offers']
}

async function note(tx: Tx, { id, slug, outcome, service, shown }: Taken, { adminId, supplier }: Means): Promise<void> {
  const offers = shown.filter((offer) => offer.outcome === 'made' || offer.outcome === 'joined')
  const after = {
    slug,
    outcome,
    supplier,
    service,
    offers: offers.map(({ reference, offer_id }) => ({ reference, offer_id })),
  }
  await writeAudit(tx, { actorId: adminId, action: 'supplier.take_over', subject: `product:${id}`, after })
  tx.notify('catalogue', `product:${id}`)
}

/** A game of a supplier as it is taken over. */
interface TakenService {
  id: number
  title: string
  kind: 'topup' | 'code'
  check_reference: string | null
  fields: VendorField[]
  field_names: Record<string, string>
}

interface ProductRow {
  id: number
  slug: string
  kind: 'topup' | 'code'
  pricing: string
  /** What it asks its customers for. */
  keys: string[]
}

const lockProduct = (tx: Tx, productId: number) =>
  tx.maybe<ProductRow>(sql`
    SELECT id, slug, kind, pricing, ARRAY(SELECT key FROM account_field
      WHERE product_id = product.id AND retired_at IS NULL) AS keys
    FROM product WHERE id = ${productId} AND deleted_at IS NULL FOR NO KEY UPDATE`)

/** Finds the product that a supplier's game was taken over as. */
const findLinked = (tx: Tx, serviceId: number) =>
  tx.maybe<{ id: number }>(sql`
    SELECT product.id FROM product_service JOIN product ON product.id = product_id AND product.deleted_at IS NULL
    WHERE service_id = ${serviceId} ORDER BY product.id LIMIT 1`)

const findBySlug = (tx: Tx, slug: string) =>
  tx.maybe<{ id: number; kind: 'topup' | 'code' }>(
    sql`SELECT id, kind FROM product WHERE slug = ${slug} AND deleted_at IS NULL`,
  )

const setFieldNames = (tx: Tx, serviceId: number, names: Record<string, string>) =>
  tx.run(sql`UPDATE supplier_service SET field_names = ${JSON.stringify(names)} WHERE id = ${serviceId}`)

/** Why a game is not taken over, which undoes what was written of it. */
class GameRefused extends Error {
  readonly reason: GameRefusal
  readonly details: Pick<TakenOver, 'product_id' | 'fields' | 'offers'>
  constructor(reason: GameRefusal, details: Partial<GameRefused['details']> = {}) {
    super(reason)
    this.reason = reason
    this.details = { product_id: null, fields: [], offers: [], ...details }
  }
}

/**
 * Finds the product that the game is added to: the one that is named, or the one it was taken over as. Refuses one that can't
 * be delivered by it; learns how its fields are called there, where nobody has said so.
 */
async function findTaken(tx: Tx, game: TakenGame, service: TakenService): Promise<ProductRow | undefined> {
  const productId = game.productId ?? (await findLinked(tx, service.id))?.id
  if (productId === undefined) return undefined
  const product = await lockProduct(tx, productId)
  if (!product) throw new GameRefused('product_not_found')
  if (product.kind !== service.kind || product.pricing === 'amount')
    throw new GameRefused('other_kind', { product_id: product.id })
  if (product.kind === 'code') return product
  const fields = await fitService(tx, service.id, product)
  if (fields.length > 0) throw new GameRefused('fields_missing', { product_id: product.id, fields })
  return product
}

/** Makes a product of the game that is not on sale yet. */
async function makeProduct(tx: Tx, game: TakenGame, service: TakenService, names: readonly string[]) {
  if (names.length === 0) throw new GameRefused('nothing_left')
  const title = game.name ?? service.title
  const slug = await findFreeSlug(tx, game, service, title)
  const asked = service.kind === 'topup' ? requireAsked(toAskedFields(service.fields, service.field_names)) : undefined
  if (asked) await setFieldNames(tx, service.id, asked.fieldNames)
  const added = addProduct(tx, {
    slug,
    kind: service.kind,
    category: game.category,
    keywords: [],
    gameCurrency: game.gameCurrency ?? readUnit(names),
    imageUrl: '',
    supportsCodeGeneration: false,
    codePrefix: null,
    position: await nextPosition(tx),
    isActive: false,
    ...(asked
      ? { fields: asked.fields, playerCheck: service.check_reference === null ? 'none' : 'offered' }
      : { buysOnDemand: true }),
    texts: { ru: { title, description: '', activationInstructions: '' } },
    regions: [],
  })
  return { id: await orDuplicate(added, 'product_slug_key', 'slug'), slug }
}

function requireAsked(asked: AskedFields): Extract<AskedFields, { fieldNames: unknown }> {
  if ('refused' in asked) throw new GameRefused(asked.refused, { fields: asked.fields })
  return asked
}

/**
 * Finds an address for a new product. One that a product of the other kind has gets an ending; one that a product of this
 * kind has is refused, because that may be the game itself.
 */
async function findFreeSlug(tx: Tx, game: TakenGame, { kind }: TakenService, title: string): Promise<string> {
  const slug = game.slug ?? toSlug(title)
  if (slug === '') throw new GameRefused('slug_needed')
  const holder = await findBySlug(tx, slug)
  if (!holder) return slug
  if (game.slug !== undefined || holder.kind === kind) throw new GameRefused('slug_taken', { product_id: holder.id })
  const apart = `${slug.slice(0, 90)}-${kind === 'code' ? 'codes' : 'topup'}`
  const other = await findBySlug(tx, apart)
  if (other) throw new GameRefused('slug_taken', { product_id: other.id })
  return apart
}

import type { FreefireDenomination, PubgDenomination } from '@olmos/contract/denominations'
import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import {
  allConditions,
  countAll,
  direction,
  type ListPage,
  orDuplicate,
  requireVersion,
  toPage,
  withTotal,
} from '../../platform/database/lists.ts'
import { containing, type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit, writeAuditChange } from '../../platform/security/audit.ts'
import { typePrice } from '../pricing/typed-prices.ts'
import { lockShelf, requireUsualPrice } from './price-offers.ts'

/** The games whose packages are edited as denominations; each is a product with this slug. */
export type Game = 'pubg' | 'freefire'

/** Prices are in minor units. */
export interface DenominationRow extends Omit<FreefireDenomination, 'name' | 'item_id' | 'created_at'> {
  product_id: number
  name: string | null
  /** The name of a denomination without a name of its own. */
  label: string
  item_id: string | null
  created_at: Date
}

/** What stock a denomination has: codes of a pool, or codes that deliver it when they are spent. */
const codeColumn = { pubg: sql`offer_id`, freefire: sql`denomination_id` }
const unsold = ['available', 'unpublished', 'error', 'archived']
const sold = ['reserved', 'used', 'quarantined']
const countCodes = (game: Game, statuses: string[]): Sql => sql`
  (SELECT count(*)::int FROM (
    SELECT FROM code WHERE ${codeColumn[game]} = offer.id AND status = ANY (${statuses})
    LIMIT ${LIMITS.stockCountMax}) AS code)`

const columns = (game: Game): Sql => sql`
  offer.id, offer.product_id, offer.name, coalesce(offer.name, offer.game_amount || ' ' || product.game_currency) AS label,
  offer.item_id, offer.game_amount, offer.price_usd, offer.price_rub, offer.is_active, offer.created_at, offer.version,
  ${countCodes(game, unsold)} AS unsold_codes, ${countCodes(game, sold)} AS sold_codes`

const isSameGame = (game: Game): Sql => sql`
  product.slug = ${game} AND product.kind = 'topup' AND product.deleted_at IS NULL
  AND offer.region_id IS NULL AND offer.deleted_at IS NULL`

const source = sql`offer JOIN product ON product.id = offer.product_id`

const toColumn = {
  uc_amount: sql`offer.game_amount`,
  game_amount: sql`offer.game_amount`,
  id: sql`offer.id`,
  name: sql`lower(offer.name)`,
  item_id: sql`offer.item_id`,
  price_usd: sql`offer.price_usd`,
  price_rub: sql`offer.price_rub`,
  is_active: sql`offer.is_active`,
  created_at: sql`offer.created_at`,
}

interface DenominationList extends ListPage {
  search: string
  sort: keyof typeof toColumn
}

const isListed = (game: Game, { search }: Pick<DenominationList, 'search'>) =>
  allConditions(
    isSameGame(game),
    search
      ? sql`(offer.game_amount::text = ${search} OR offer.name ILIKE ${containing(search)}
          OR offer.item_id ILIKE ${containing(search)})`
      : undefined,
  )

/** Reads a page of a game's denominations, and how many there are in all. */
export async function listDenominations(queries: Queries, game: Game, list: DenominationList) {
  const { rows, total } = await withTotal(
    list,
    queries.rows<DenominationRow>(sql`
      SELECT ${columns(game)} FROM ${source} WHERE ${isListed(game, list)}
      ORDER BY ${toColumn[list.sort]} ${direction(list.order)}, offer.id ${toPage(list)}`),
    () => countAll(queries, sql`SELECT FROM ${source} WHERE ${isListed(game, list)}`),
  )
  return { rows, total }
}

export const listActiveDenominations = (queries: Queries, game: Game) =>
  queries.rows<DenominationRow>(sql`
    SELECT ${columns(game)} FROM ${source} WHERE ${isSameGame(game)} AND offer.is_active ORDER BY offer.game_amount, offer.id`)

const findDenomination = (queries: Queries, game: Game, id: number) =>
  queries.maybe<DenominationRow>(
    sql`SELECT ${columns(game)} FROM ${source} WHERE ${isSameGame(game)} AND offer.id = ${id}`,
  )

const findDenominationByAmount = (queries: Queries, game: Game, gameAmount: number) =>
  queries.maybe<DenominationRow>(
    sql`SELECT ${columns(game)} FROM ${source} WHERE ${isSameGame(game)} AND offer.game_amount = ${gameAmount}`,
  )

const locked = { toChange: sql`FOR UPDATE OF offer`, toUse: sql`FOR SHARE OF offer` }

/** Locks it until the transaction ends: to change it, or to add codes to it, which several may do at once. */
async function lockDenomination(tx: Tx, game: Game, id: number, lock: keyof typeof locked) {
  // Codes that are added meanwhile were typed for the amount that it has.
  if (lock === 'toChange') await lockShelf(tx, id)
  return tx.maybe<DenominationRow>(sql`
    SELECT ${columns(game)} FROM ${source} WHERE ${isSameGame(game)} AND offer.id = ${id} ${locked[lock]}`)
}

type DenominationFields = Pick<
  DenominationRow,
  'name' | 'item_id' | 'game_amount' | 'price_usd' | 'price_rub' | 'is_active'
>

/** Returns its id, or undefined when the amount exists. A deleted one stays deleted: orders keep what they were for. */
async function insertDenomination(tx: Tx, productId: number, fields: DenominationFields): Promise<number | undefined> {
  const row = await tx.maybe<{ id: number }>(sql`
    INSERT INTO offer (product_id, name, item_id, game_amount, price_usd, price_rub, is_active)
    VALUES (${productId}, ${fields.name}, ${fields.item_id}, ${fields.game_amount}, ${fields.price_usd},
      ${fields.price_rub}, ${fields.is_active})
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING RETURNING id`)
  return row?.id
}

type DenominationName = Pick<DenominationFields, 'name' | 'item_id' | 'game_amount'>

const updateDenomination = (tx: Tx, id: number, typed: Sql, fields: DenominationName) =>
  tx.run(sql`
    UPDATE offer SET ${typed}, name = ${fields.name}, item_id = ${fields.item_id}, game_amount = ${fields.game_amount}
    WHERE id = ${id}`)

/** Whether it was ordered or has codes, so that receipts and codes state its amount. */
async function isInUse(tx: Tx, id: number): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    SELECT EXISTS (SELECT FROM order_item WHERE offer_id = ${id}) OR EXISTS (SELECT FROM code WHERE offer_id = ${id})
      OR EXISTS (SELECT FROM code WHERE denomination_id = ${id}) AS found`)
  return found
}

const findGame = (queries: Queries, game: Game) =>
  queries.maybe<{ id: number }>(
    sql`SELECT id FROM product WHERE slug = ${game} AND kind = 'topup' AND deleted_at IS NULL`,
  )

const shownRow = ({ price_usd, price_rub, created_at, ...row }: DenominationRow) => ({
  ...row,
  price_usd: toMajor(price_usd),
  price_rub: toMajor(price_rub),
  created_at: created_at.toISOString(),
})

/** Formats a denomination for the admin of its game. */
export const shownDenomination = {
  pubg: (row: DenominationRow): PubgDenomination => ({ ...shownRow(row), uc_amount: row.game_amount }),
  freefire: (row: DenominationRow): FreefireDenomination => ({
    ...shownRow(row),
    name: row.label,
    item_id: row.item_id ?? '',
  }),
}

function found(row: DenominationRow | undefined): DenominationRow {
  if (!row) throw new Failure('OFFER_NOT_FOUND')
  return row
}

const readDenomination = async (queries: Queries, game: Game, id: number): Promise<DenominationRow> =>
  found(await findDenomination(queries, game, id))

/** Finds the game's denomination of an amount. */
export const denominationByAmount = async (queries: Queries, game: Game, gameAmount: number): Promise<number> =>
  found(await findDenominationByAmount(queries, game, gameAmount)).id

/**
 * Locks a denomination of the game: nobody changes or deletes it until the transaction ends. Refuses a missing or
 * deleted one with OFFER_NOT_FOUND.
 */
export const lockDenominationToChange = async (tx: Tx, game: Game, id: number): Promise<DenominationRow> =>
  found(await lockDenomination(tx, game, id, 'toUse'))

/** Finds the product of the game. Refuses with NOT_FOUND when the shop has none. */
export async function toProduct(queries: Queries, game: Game): Promise<number> {
  const product = await findGame(queries, game)
  if (!product) throw new Failure('NOT_FOUND', { product: game })
  return product.id
}

const audited = ({ name, item_id, game_amount, price_usd, price_rub, is_active }: DenominationFields) => ({
  ...(name !== null && { name }),
  ...(item_id !== null && { item_id }),
  game_amount,
  price_usd,
  price_rub,
  is_active,
})

const amountName = { pubg: 'uc_amount', freefire: 'game_amount' } as const
const amountInUse = {
  pubg: { reason: 'uc_amount_in_use', uc_amount: 'in_use' },
  freefire: { reason: 'game_amount_in_use', game_amount: 'in_use' },
} as const

interface Confirmed {
  /** Whether an operator has seen and confirmed that the prices are unusual. */
  isConfirmed?: boolean | undefined
}

/** The price in minor units that a denomination is about to have, beside the one it has. */
const priceChange = (fields: DenominationFields, before?: DenominationFields) => ({
  gameAmount: fields.game_amount,
  priceUsd: fields.price_usd,
  priceRub: fields.price_rub,
  was: before && { priceUsd: before.price_usd, priceRub: before.price_rub },
})

/**
 * Adds a denomination to the game. Prices are in minor units. Refuses an existing amount or item id (DUPLICATE), and
 * unusual prices that are not confirmed (PRICE_CHANGED).
 */
export async function addDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  { isConfirmed, ...fields }: DenominationFields & Confirmed,
): Promise<DenominationRow> {
  const id = await refuseTakenItem(insertDenomination(tx, await toProduct(tx, game), fields))
  if (id === undefined) throw new Failure('DUPLICATE', { [amountName[game]]: 'duplicate' })
  await requireUsualPrice(tx, priceChange(fields), isConfirmed)
  const after = await readDenomination(tx, game, id)
  await writeAudit(tx, {
    actorId: adminId,
    action: 'denomination.create',
    subject: `offer:${id}`,
    after: audited(after),
  })
  tx.notify('catalogue', `product:${after.product_id}`)
  return after
}

interface DenominationChange extends Partial<DenominationFields>, Confirmed {
  id: number
  /** Why it is sold under its cost. */
  underFloor?: string | undefined
  version: number | undefined
}

/**
 * Changes the given fields. Once something was sold of it or added to stock, its amount can't change: STATE_CONFLICT.
 * Refuses unusual prices that are not confirmed with PRICE_CHANGED, and prices under cost without a reason with
 * FLOOR_PRICE.
 */
export async function changeDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  { id, version, isConfirmed, underFloor, ...change }: DenominationChange,
): Promise<DenominationRow> {
  const before = found(await lockDenomination(tx, game, id, 'toChange'))
  requireVersion(shownDenomination[game](before), version)
  const fields = { ...before, ...change }
  await requireUsualPrice(tx, priceChange(fields, before), isConfirmed)
  const isResized = fields.game_amount !== before.game_amount
  if (isResized && (await isInUse(tx, id))) throw new Failure('STATE_CONFLICT', amountInUse[game])
  const { price_usd: priceUsd, price_rub: priceRub } = fields
  const typed = await typePrice(tx, adminId, id, { priceUsd, priceRub, isActive: change.is_active, underFloor })
  const update = updateDenomination(tx, id, typed, fields)
  await refuseTakenItem(orDuplicate(update, 'offer_product_id_region_id_game_amount_key', amountName[game]))
  const after = await readDenomination(tx, game, id)
  const entry = { actorId: adminId, action: 'denomination.update', subject: `offer:${id}` } as const
  await writeAuditChange(tx, entry, audited(before), audited(after))
  tx.notify('catalogue', `product:${after.product_id}`)
  return after
}

/** Locks a denomination for its deletion: nobody else changes it or adds codes to it. */
export const lockDenominationToDelete = async (tx: Tx, game: Game, id: number): Promise<DenominationRow> =>
  found(await lockDenomination(tx, game, id, 'toChange'))

const refuseTakenItem = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'offer_item_id', 'item_id')

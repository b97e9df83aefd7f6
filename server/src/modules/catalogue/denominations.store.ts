import { LIMITS } from '@olmos/contract/limits'
import type { Sql } from 'sql-template-tag'
import { containing, type Queries, sql, type Tx } from '../../platform/database/database.ts'
import { allOf, countOf, direction, type ListPage, pageOf } from '../../platform/database/lists.ts'

/** The games whose packages are edited as denominations; each is a product by this slug. */
export type Game = 'pubg' | 'freefire'

export interface DenominationRow {
  id: number
  product_id: number
  name: string | null
  /** A denomination without a name of its own goes by this. */
  label: string
  item_id: string | null
  game_amount: number
  price_usd: number
  price_rub: number
  is_active: boolean
  unsold_codes: number
  sold_codes: number
  created_at: Date
  version: number
}

/** What is put into stock for a denomination: codes of a pool, or codes that deliver it when they are spent. */
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

const isOf = (game: Game): Sql => sql`
  product.slug = ${game} AND product.kind = 'topup' AND product.deleted_at IS NULL
  AND offer.region_id IS NULL AND offer.deleted_at IS NULL`

const source = sql`offer JOIN product ON product.id = offer.product_id`

const columnOf = {
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
  sort: keyof typeof columnOf
}

const isListed = (game: Game, { search }: Pick<DenominationList, 'search'>) =>
  allOf(
    isOf(game),
    search
      ? sql`(offer.game_amount::text = ${search} OR offer.name ILIKE ${containing(search)}
          OR offer.item_id ILIKE ${containing(search)})`
      : undefined,
  )

export const listDenominations = (queries: Queries, game: Game, list: DenominationList) =>
  queries.rows<DenominationRow>(sql`
    SELECT ${columns(game)} FROM ${source} WHERE ${isListed(game, list)}
    ORDER BY ${columnOf[list.sort]} ${direction(list.order)}, offer.id ${pageOf(list)}`)

export const countDenominations = (queries: Queries, game: Game, list: Pick<DenominationList, 'search'>) =>
  countOf(queries, sql`SELECT FROM ${source} WHERE ${isListed(game, list)}`)

export const listActiveDenominations = (queries: Queries, game: Game) =>
  queries.rows<DenominationRow>(sql`
    SELECT ${columns(game)} FROM ${source} WHERE ${isOf(game)} AND offer.is_active ORDER BY offer.game_amount, offer.id`)

export const findDenomination = (queries: Queries, game: Game, id: number) =>
  queries.maybe<DenominationRow>(sql`SELECT ${columns(game)} FROM ${source} WHERE ${isOf(game)} AND offer.id = ${id}`)

export const findDenominationOfAmount = (queries: Queries, game: Game, gameAmount: number) =>
  queries.maybe<DenominationRow>(
    sql`SELECT ${columns(game)} FROM ${source} WHERE ${isOf(game)} AND offer.game_amount = ${gameAmount}`,
  )

const locked = { toChange: sql`FOR UPDATE OF offer`, toUse: sql`FOR SHARE OF offer` }

/** The same, held until the transaction ends: to change it, or to put codes behind it, which several may at once. */
export const lockDenomination = (tx: Tx, game: Game, id: number, lock: keyof typeof locked) =>
  tx.maybe<DenominationRow>(sql`
    SELECT ${columns(game)} FROM ${source} WHERE ${isOf(game)} AND offer.id = ${id} ${locked[lock]}`)

export type DenominationFields = Pick<
  DenominationRow,
  'name' | 'item_id' | 'game_amount' | 'price_usd' | 'price_rub' | 'is_active'
>

/** Answers its id; none when there is one of the amount. One that was deleted stays so: what was ordered of it is still what it was. */
export async function insertDenomination(
  tx: Tx,
  productId: number,
  fields: DenominationFields,
): Promise<number | undefined> {
  const row = await tx.maybe<{ id: number }>(sql`
    INSERT INTO offer (product_id, name, item_id, game_amount, price_usd, price_rub, is_active)
    VALUES (${productId}, ${fields.name}, ${fields.item_id}, ${fields.game_amount}, ${fields.price_usd},
      ${fields.price_rub}, ${fields.is_active})
    ON CONFLICT (product_id, region_id, game_amount) WHERE deleted_at IS NULL DO NOTHING RETURNING id`)
  return row?.id
}

export const updateDenomination = (tx: Tx, id: number, fields: DenominationFields) =>
  tx.run(sql`
    UPDATE offer SET name = ${fields.name}, item_id = ${fields.item_id}, game_amount = ${fields.game_amount},
      price_usd = ${fields.price_usd}, price_rub = ${fields.price_rub}, is_active = ${fields.is_active}
    WHERE id = ${id}`)

/** Something was ordered of it, or stands behind it: its amount is told by receipts and codes. */
export async function isInUse(tx: Tx, id: number): Promise<boolean> {
  const { found } = await tx.one<{ found: boolean }>(sql`
    SELECT EXISTS (SELECT FROM order_item WHERE offer_id = ${id}) OR EXISTS (SELECT FROM code WHERE offer_id = ${id})
      OR EXISTS (SELECT FROM code WHERE denomination_id = ${id}) AS found`)
  return found
}

export const findGame = (queries: Queries, game: Game) =>
  queries.maybe<{ id: number }>(
    sql`SELECT id FROM product WHERE slug = ${game} AND kind = 'topup' AND deleted_at IS NULL`,
  )

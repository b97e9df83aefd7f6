import type { FreefireDenomination, PubgDenomination } from '@olmos/contract/denominations'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { orDuplicate, requireVersion } from '../../platform/database/lists.ts'
import { announce } from '../../platform/database/notify.ts'
import { record, recordChange } from '../../platform/security/audit.ts'
import {
  type DenominationFields,
  type DenominationRow,
  findDenomination,
  findDenominationOfAmount,
  findGame,
  type Game,
  insertDenomination,
  isInUse,
  lockDenomination,
  updateDenomination,
} from './denominations.store.ts'
import { retireOffer } from './offers.store.ts'
import { requireUsualPrice } from './price-offers.ts'

const shownRow = ({ price_usd, price_rub, created_at, ...row }: DenominationRow) => ({
  ...row,
  price_usd: toMajor(price_usd),
  price_rub: toMajor(price_rub),
  created_at: created_at.toISOString(),
})

/** A denomination as the admin of its game sees it. */
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

/** The id of the game's denomination of an amount. */
export const denominationOfAmount = async (queries: Queries, game: Game, gameAmount: number): Promise<number> =>
  found(await findDenominationOfAmount(queries, game, gameAmount)).id

/**
 * A denomination of the game; nobody changes or deletes it until the transaction ends. Refuses one that is not there, or
 * no more: OFFER_NOT_FOUND.
 */
export const holdDenomination = async (tx: Tx, game: Game, id: number): Promise<DenominationRow> =>
  found(await lockDenomination(tx, game, id, 'toUse'))

/** The product of the game. Refuses when the shop has none: NOT_FOUND. */
export async function productOf(queries: Queries, game: Game): Promise<number> {
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
const amountInUse = { pubg: { uc_amount: 'in_use' }, freefire: { game_amount: 'in_use' } } as const

interface Confirmed {
  /** An operator has seen that the prices are unusual, and wants them. */
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
 * Adds a denomination to the game. Prices are minor units. Refuses an amount or an item id that is there (DUPLICATE), and
 * unusual prices that are not confirmed (PRICE_CHANGED).
 */
export async function addDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  { isConfirmed, ...fields }: DenominationFields & Confirmed,
): Promise<DenominationRow> {
  const id = await isItemFree(insertDenomination(tx, await productOf(tx, game), fields))
  if (id === undefined) throw new Failure('DUPLICATE', { [amountName[game]]: 'duplicate' })
  await requireUsualPrice(tx, priceChange(fields), isConfirmed)
  const after = await readDenomination(tx, game, id)
  await record(tx, { actorId: adminId, action: 'denomination.create', subject: `offer:${id}`, after: audited(after) })
  await announce(tx, 'catalogue', `product:${after.product_id}`)
  return after
}

interface DenominationChange extends Partial<DenominationFields>, Confirmed {
  id: number
  version: number | undefined
}

/**
 * Changes what is given of it. The amount stays once something was sold of it or put into stock: STATE_CONFLICT. Refuses
 * unusual prices that are not confirmed: PRICE_CHANGED.
 */
export async function changeDenomination(
  tx: Tx,
  adminId: number,
  game: Game,
  { id, version, isConfirmed, ...change }: DenominationChange,
): Promise<DenominationRow> {
  const before = found(await lockDenomination(tx, game, id, 'toChange'))
  requireVersion(shownDenomination[game](before), version)
  const fields = { ...before, ...change }
  await requireUsualPrice(tx, priceChange(fields, before), isConfirmed)
  const isResized = fields.game_amount !== before.game_amount
  if (isResized && (await isInUse(tx, id))) throw new Failure('STATE_CONFLICT', amountInUse[game])
  await isItemFree(
    orDuplicate(updateDenomination(tx, id, fields), 'offer_product_id_region_id_game_amount_key', amountName[game]),
  )
  const after = await readDenomination(tx, game, id)
  const entry = { actorId: adminId, action: 'denomination.update', subject: `offer:${id}` } as const
  await recordChange(tx, entry, audited(before), audited(after))
  await announce(tx, 'catalogue', `product:${after.product_id}`)
  return after
}

/** Takes a denomination off the shelves for good; the caller has dealt with its codes. */
export async function retire(tx: Tx, denomination: DenominationRow): Promise<void> {
  await retireOffer(tx, denomination.id)
  await announce(tx, 'catalogue', `product:${denomination.product_id}`)
}

/** A denomination that is about to be deleted: nobody else changes it or puts codes behind it. */
export const holdForDeletion = async (tx: Tx, game: Game, id: number): Promise<DenominationRow> =>
  found(await lockDenomination(tx, game, id, 'toChange'))

const isItemFree = <T>(write: Promise<T>): Promise<T> => orDuplicate(write, 'offer_item_id', 'item_id')

import { randomInt } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { GeneratedCode, GeneratedStatus, GenerateRequest } from '@olmos/contract/generated-codes'
import { toMajor } from '@olmos/contract/minor-units'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import type { Sealed, Vault } from '../../platform/security/vault.ts'
import { lockDenominationToChange } from '../catalogue/denominations.ts'
import { requireOffer, requirePlace } from '../catalogue/price-offers.ts'
import { lockProductToUse } from '../catalogue/products.ts'
import { codeRow, insertBatch } from './codes.store.ts'
import { markCode, shelveCodes } from './import-codes.ts'
import { type Purchase, toAudited } from './purchases.ts'
import {
  columns,
  foundStock,
  inOrder,
  isInForce,
  joins,
  type StockFilter,
  type StockList,
  type StockRow,
  stockWhere,
} from './stock.ts'

/** No two characters that look alike: no 0 and O, no 1, I and L, no 2 and Z, no 5 and S, no 8 and B, no U beside V. */
const alphabet = 'ACDEFGHJKMNPQRTVWXY34679'
const groups = 5
const groupLength = 4
/** 24 to the power of this is more than 2 to the power of 91. */
const randomLength = groups * groupLength

/** Makes a code nobody can guess, 'FF-7KQM-ACDE-4T9X-HJPR-WY36', or without a prefix the groups alone. */
export function newGeneratedCode(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return spelled(prefix.toUpperCase(), random)
}

const spelled = (prefix: string, random: string): string =>
  [...(prefix ? [prefix] : []), ...(random.match(new RegExp(`.{${groupLength}}`, 'g')) ?? [])].join('-')

/** Corrects what somebody typed: lower case, missing or different dashes. Returns an empty text when it is no code. */
export function toSpelling(typed: string): string {
  const bare = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return bare.length < randomLength ? '' : spelled(bare.slice(0, -randomLength), bare.slice(-randomLength))
}

/** Reads everything before the random part. */
export const toPrefix = (code: string): string => code.replaceAll('-', '').slice(0, -randomLength)

/** Masks a generated code for lists: enough to recognise it, too little to spend it. */
export const maskGenerated = (code: string): string =>
  `${toPrefix(code) ? `${toPrefix(code)}-` : ''}••••-${code.slice(-groupLength)}`

interface GeneratedRow extends StockRow {
  denomination_id: number
  denomination_name: string
  popular: boolean
  activated_at: Date | null
  activation: GeneratedCode['activation']
}

const generatedColumns = sql`
  ${columns}, code.denomination_id, offer.is_popular AS popular,
  coalesce(denomination.name, denomination.game_amount || ' ' || game.game_currency) AS denomination_name,
  activation.created_at AS activated_at, activation.details AS activation`

const generatedJoins = sql`
  ${joins}
  JOIN offer AS denomination ON denomination.id = code.denomination_id
  JOIN product AS game ON game.id = denomination.product_id
  LEFT JOIN LATERAL (
    SELECT code_activation.created_at, json_build_object('order_id', orders.id, 'user_id', users.id,
      'nickname', users.nickname, 'player_id', target.account, 'player_name', target.player_name) AS details
    FROM code_activation
    JOIN order_item ON order_item.id = code_activation.order_item_id
    JOIN topup_target AS target ON target.order_item_id = order_item.id
    JOIN orders ON orders.id = order_item.order_id
    JOIN users ON users.id = orders.user_id
    WHERE code_activation.code_id = code.id AND ${isInForce}) AS activation ON true`

export const listGenerated = (queries: Queries, list: StockList) =>
  queries.rows<GeneratedRow>(sql`
    SELECT ${generatedColumns} FROM ${foundStock(list)} JOIN code USING (id) ${generatedJoins}
    ORDER BY ${inOrder(list)}`)

export const findGenerated = (queries: Queries, codeId: number) =>
  queries.maybe<GeneratedRow>(sql`SELECT ${generatedColumns} FROM code ${generatedJoins} WHERE code.id = ${codeId}`)

/** Reads a generated code and locks it until the transaction ends. */
export const lockGenerated = (tx: Tx, codeId: number) =>
  tx.maybe<GeneratedRow>(
    sql`SELECT ${generatedColumns} FROM code ${generatedJoins} WHERE code.id = ${codeId} FOR UPDATE OF code`,
  )

/**
 * Deleted and recalled codes are not put on sale. Rows are locked in the order of their ids, so that two simultaneous
 * calls do not deadlock.
 */
const moveAll = (tx: Tx, chosen: Sql, from: 'available' | 'unpublished', to: 'available' | 'unpublished') =>
  tx.rows<{ id: number; product_id: number }>(sql`
    WITH locked AS (
      SELECT id FROM code WHERE denomination_id IS NOT NULL AND status = ${from} AND ${chosen}
      ORDER BY id FOR UPDATE),
    moved AS (
      UPDATE code SET status = ${to} FROM locked, offer WHERE code.id = locked.id AND offer.id = code.offer_id
      RETURNING code.id, code.status, offer.product_id)
    SELECT id, product_id FROM moved WHERE status = ${to}`)

interface Chosen {
  ids?: number[] | undefined
  /** A whole batch instead. */
  batch?: number | undefined
}

const isChosen = ({ ids, batch }: Chosen) =>
  ids ? sql`code.id = ANY (${ids}::bigint[])` : sql`code.batch_id = ${batch}`

/**
 * Counts the unpublished codes among these whose product is not activated in its game. The products are locked until
 * the transaction ends.
 */
export async function countOfOtherGame(tx: Tx, chosen: Chosen): Promise<number> {
  await tx.run(sql`
    SELECT FROM product WHERE id IN (
      SELECT product_id FROM offer JOIN code ON code.offer_id = offer.id WHERE ${isChosen(chosen)})
    ORDER BY id FOR SHARE`)
  const { count } = await tx.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM code
    WHERE denomination_id IS NOT NULL AND status = 'unpublished' AND ${isChosen(chosen)}
      AND NOT is_of_its_game(offer_id, denomination_id)`)
  return count
}

/** Publishes or unpublishes the codes; returns those it changed. */
export const setPublished = (tx: Tx, { published, ...chosen }: Chosen & { published: boolean }) =>
  published
    ? moveAll(tx, isChosen(chosen), 'unpublished', 'available')
    : moveAll(tx, isChosen(chosen), 'available', 'unpublished')

export interface CopiedCode extends Sealed {
  id: number
  product_title: string
  denomination_name: string
  game_amount: number
  price_usd: number
  price_rub: number
  status: GeneratedRow['status']
  activated_at: Date | null
  player_id: string | null
  created_at: Date
}

/** Reads one more than may be copied at once, so that an excess shows. */
export const readToCopy = (queries: Queries, filter: StockFilter, ids: number[] | undefined) =>
  queries.rows<CopiedCode>(sql`
    SELECT code.id, code.key_id AS "keyId", code.ciphertext, texts.title AS product_title,
      coalesce(denomination.name, denomination.game_amount || ' ' || game.game_currency) AS denomination_name,
      offer.game_amount, offer.price_usd, offer.price_rub, code.status, code.created_at,
      activation.created_at AS activated_at, activation.account AS player_id
    FROM code
    JOIN offer ON offer.id = code.offer_id
    JOIN product_text AS texts ON texts.product_id = offer.product_id AND texts.language = 'ru'
    JOIN offer AS denomination ON denomination.id = code.denomination_id
    JOIN product AS game ON game.id = denomination.product_id
    LEFT JOIN LATERAL (
      SELECT code_activation.created_at, target.account FROM code_activation
      JOIN topup_target AS target USING (order_item_id)
      WHERE code_activation.code_id = code.id AND ${isInForce}) AS activation ON true
    WHERE code.id IN (${stockWhere(filter)}) AND ${ids ? sql`code.id = ANY (${ids}::bigint[])` : sql`true`}
    ORDER BY code.id LIMIT ${SERVER_LIMITS.copiedCodesMax + 1}`)

/** Counts the codes an admin has copied within the last hours, by the audit trail. */
export async function countCopied(queries: Queries, adminId: number, hours: number): Promise<number> {
  const { copied } = await queries.one<{ copied: number }>(sql`
    SELECT coalesce(sum((after->>'count')::int), 0)::int AS copied FROM audit_entry
    WHERE subject = 'codes' AND action = 'codes.copy' AND actor_id = ${adminId}
      AND created_at > now() - make_interval(hours => ${hours})`)
  return copied
}

type Status = GeneratedRow['status']

export const isPublished = (status: Status): boolean =>
  status === 'available' || status === 'reserved' || status === 'used'

export const shownStatus = (status: Status): GeneratedStatus => (status === 'unpublished' ? 'available' : status)

/** Formats a generated code for lists. One that was altered and does not open is shown as a mask only. */
export async function shownGenerated(vault: Vault, row: GeneratedRow): Promise<GeneratedCode> {
  const { keyId, ciphertext, region_id, region_name, status, price_usd, price_rub, ...fields } = row
  const plain = await vault.unseal(row, codeRow(row.id)).catch(() => '')
  return {
    ...fields,
    prefix: toPrefix(plain),
    code: maskGenerated(plain),
    status: shownStatus(status),
    published: isPublished(status),
    price_usd: toMajor(price_usd),
    price_rub: toMajor(price_rub),
    activated_at: row.activated_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}

/** What a generated code delivers is a cost of the order that it is spent by. */
const madeHere: Purchase = { cost: '0', currency: 'USD', timeZone: sql`'UTC'` }

interface GeneratedBatch {
  batch_id: number
  offer_id: number
  count: number
  published: boolean
}

/**
 * Generates codes that are sold as a package of the product and deliver a denomination of its game when they are
 * spent: all of them or none. A new package gets the prices of the denomination. `adminId` is null when the store
 * itself makes them. Refuses with FORBIDDEN who may not set prices where there is no package yet, and with NOT_FOUND,
 * OFFER_NOT_FOUND, or STATE_CONFLICT for a product that has no generated codes, or whose codes are activated in no game.
 */
export async function generateCodes(
  tx: Tx,
  vault: Vault,
  wanted: Omit<GenerateRequest, 'bought'> & {
    adminId: number | null
    mayPrice: boolean
    purchase?: Purchase | undefined
  },
): Promise<GeneratedBatch> {
  const { productId, denominationId, count, published, adminId, mayPrice } = wanted
  const purchase = { ...madeHere, ...wanted.purchase }
  const product = await lockProductToUse(tx, productId)
  if (product.kind !== 'code' || !product.supportsCodeGeneration)
    throw new Failure('STATE_CONFLICT', { reason: 'no_code_generation', productId: 'no_code_generation' })
  const game = product.codeGame
  if (game === null) throw new Failure('STATE_CONFLICT', { reason: 'product_of_another_game', productId: 'other_game' })
  const denomination = await lockDenominationToChange(tx, game, denominationId)
  const place = { productId, regionId: null }
  await requirePlace(tx, place)
  const { game_amount: gameAmount, price_usd: priceUsd, price_rub: priceRub } = denomination
  const offerId = await requireOffer(tx, place, { gameAmount, priceUsd, priceRub }, { adminId, mayPrice })
  const batchId = await insertBatch(tx, { ...place, importedBy: adminId, purchase })
  const prefix = (wanted.prefix ?? product.codePrefix).replace(/[^A-Za-z0-9]/g, '')
  const batch = { id: batchId, denominationId, status: published ? ('available' as const) : ('unpublished' as const) }
  const codes = Array.from({ length: count }, () => ({ offerId, ...markCode(vault, newGeneratedCode(prefix)) }))
  await shelveCodes(tx, vault, batch, codes)
  if (adminId !== null) {
    const after = { productId, denominationId, offerId, count, prefix, published, ...toAudited(purchase) }
    await writeAudit(tx, { actorId: adminId, action: 'codes.generate', subject: `batch:${batchId}`, after })
  }
  return { batch_id: batchId, offer_id: offerId, count, published }
}

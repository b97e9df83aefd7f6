import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { byId, id, listQuery, text, time, toData, toList, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { confirmPrices, priceSchema, seenWithPackage, underFloor } from './offers.ts'

const gameAmount = z.int().min(1).max(LIMITS.gameAmountMax)

const shown = {
  id,
  price_usd: shownAmountSchema,
  price_rub: shownAmountSchema,
  is_active: z.boolean(),
  /** Counts end at `LIMITS.stockCountMax`. How many go with a denomination says `GET /admin/offers/:id`. */
  unsold_codes: z.int(),
  /** They stay, and keep working for their owners. */
  sold_codes: z.int(),
  created_at: time,
  version,
}

export const pubgDenomination = z.object({ ...shown, uc_amount: z.int() })
export type PubgDenomination = z.infer<typeof pubgDenomination>

export const freefireDenomination = z.object({
  ...shown,
  name: z.string(),
  /** The supplier's name for it. */
  item_id: z.string(),
  game_amount: z.int(),
})
export type FreefireDenomination = z.infer<typeof freefireDenomination>

const price = { price_usd: priceSchema, price_rub: priceSchema }
const pubgFields = { uc_amount: gameAmount, ...price }
const freefireFields = {
  name: text(1, LIMITS.denominationNameMax),
  item_id: text(1, LIMITS.itemIdMax),
  game_amount: gameAmount,
  ...price,
}

const isActive = { is_active: z.boolean().default(true), confirmPrices }
const newPubgDenomination = z.strictObject({ ...pubgFields, ...isActive })
const newFreefireDenomination = z.strictObject({ ...freefireFields, ...isActive })

/**
 * A field that is left out stays as it is. An amount can only be changed before anything of it was sold or added to
 * stock.
 */
const changedState = { is_active: z.boolean(), confirmPrices, underFloor, version }
const pubgChange = z.strictObject({ ...pubgFields, ...changedState }).partial()
const freefireChange = z.strictObject({ ...freefireFields, ...changedState }).partial()

const removed = toData(
  z.object({
    id,
    deleted_codes: z.int(),
    /** Codes that somebody has seen or bought: they stay, and keep working. */
    kept_codes: z.int(),
  }),
)

export const pubgDenominationsApi = {
  list: adminEndpoint('GET /pubg-admin/denominations', {
    operationId: 'listPubgDenominations',
    permission: 'catalogue.read',
    summary: 'PUBG denominations; a search is for an amount',
    query: listQuery(['uc_amount', 'id', 'price_usd', 'price_rub', 'is_active', 'created_at']),
    answer: toList(pubgDenomination),
  }),
  active: adminEndpoint('GET /pubg-admin/denominations/active', {
    operationId: 'listActivePubgDenominations',
    permission: 'catalogue.read',
    summary: 'PUBG denominations that are sold, smallest first',
    answer: toData(z.array(pubgDenomination)),
  }),
  add: adminEndpoint('POST /pubg-admin/denominations', {
    operationId: 'addPubgDenomination',
    permission: 'prices.write',
    refusals: ['NOT_FOUND', 'PRICE_CHANGED', 'DUPLICATE'],
    summary: 'Adds a PUBG denomination',
    body: newPubgDenomination,
    answer: toData(pubgDenomination),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /pubg-admin/denominations/:id', {
    operationId: 'changePubgDenomination',
    permission: 'prices.write',
    refusals: ['OFFER_NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a PUBG denomination',
    params: byId,
    body: pubgChange,
    answer: toData(pubgDenomination),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /pubg-admin/denominations/:id', {
    operationId: 'removePubgDenomination',
    permission: 'catalogue.write',
    refusals: ['OFFER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a PUBG denomination and its unsold codes; receipts go on working',
    params: byId,
    query: seenWithPackage,
    answer: removed,
    confirmed: true,
  }),
}

export const freefireDenominationsApi = {
  list: adminEndpoint('GET /freefire-admin/denominations', {
    operationId: 'listFreefireDenominations',
    permission: 'catalogue.read',
    summary: 'Free Fire denominations; a search is for an amount, or a part of a name or item id',
    query: listQuery(['game_amount', 'id', 'name', 'item_id', 'price_usd', 'price_rub', 'is_active', 'created_at']),
    answer: toList(freefireDenomination),
  }),
  add: adminEndpoint('POST /freefire-admin/denominations', {
    operationId: 'addFreefireDenomination',
    permission: 'prices.write',
    refusals: ['NOT_FOUND', 'PRICE_CHANGED', 'DUPLICATE'],
    summary: 'Adds a Free Fire denomination',
    body: newFreefireDenomination,
    answer: toData(freefireDenomination),
    status: 201,
    confirmed: true,
  }),
  change: adminEndpoint('PUT /freefire-admin/denominations/:id', {
    operationId: 'changeFreefireDenomination',
    permission: 'prices.write',
    refusals: ['OFFER_NOT_FOUND', 'PRICE_CHANGED', 'FLOOR_PRICE', 'DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a Free Fire denomination',
    params: byId,
    body: freefireChange,
    answer: toData(freefireDenomination),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /freefire-admin/denominations/:id', {
    operationId: 'removeFreefireDenomination',
    permission: 'catalogue.write',
    refusals: ['OFFER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Deletes a Free Fire denomination and its unsold codes; codes that were sold can still be spent',
    params: byId,
    query: seenWithPackage,
    answer: removed,
    confirmed: true,
  }),
}

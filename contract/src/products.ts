import { z } from 'zod'
import { productKinds } from './catalogue.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  byId,
  emptyBody,
  hexColor,
  id,
  idText,
  imageUrl,
  languageSchema,
  listQuery,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import { receiptModes, receiptSubjects, receiptTaxes } from './fiscal.ts'
import { ikpu, packageCode, vatPercent } from './fiscal-settings.ts'
import * as LIMITS from './limits.ts'
import { playerChecks, topupPricings } from './topup-data.ts'

/** A list of words, or a text of them with commas. */
const words = z
  .union([z.string().transform((value) => value.split(',')), z.array(z.string())])
  .pipe(z.array(text(0, LIMITS.wordLengthMax)).max(LIMITS.wordsMax, 'list_too_long'))
  .transform((list) => [...new Set(list.filter((word) => word !== ''))])

export const slugSchema = text(1, LIMITS.slugLengthMax).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'invalid_slug')
const codePrefix = text(0, 20).regex(/^[A-Za-z0-9-]*$/, 'invalid_code_prefix')
const name = text(0, 200)

/** Games whose page activates codes that the store generated, by the slugs of their top-ups; the specification has one. */
const codeGames = ['freefire'] as const
const codeGame = z.enum(codeGames)
export type CodeGame = z.infer<typeof codeGame>

const description = text(0, 5_000)
const activationInstructions = text(0, 10_000)
const gameCurrency = text(0, 40)

/** By language; a blank name removes a language. `ru` equals the texts beside it. */
const translations = z.partialRecord(
  languageSchema,
  z.strictObject({
    name: name.optional(),
    description: description.optional(),
    activationInstructions: activationInstructions.optional(),
  }),
)

/** In a change, a field that is left out stays as it is. */
const fields = {
  name: text(1, 200).optional(),
  description: description.optional(),
  activationInstructions: activationInstructions.optional(),
  translations: translations.optional(),
  imageUrl: imageUrl.optional(),
  /** For its tile, the strip of its page, its line in the cart and its ticket. */
  color: hexColor.optional(),
  keywords: words.optional(),
  category: words.optional(),
  gameCurrency: gameCurrency.optional(),
  supportsCodeGeneration: z.boolean().optional(),
  codePrefix: codePrefix.nullish(),
  /** The game on whose page its generated codes are activated; without it none are generated. */
  codeGame: codeGame.nullish(),
  /** Whether codes that are out of stock are bought from a supplier, for packages that have an `itemId`. */
  buysOnDemand: z.boolean().optional(),
  isActive: z.boolean().optional(),
  /** For top-ups: how they are priced. */
  pricing: z.enum(topupPricings).optional(),
  playerCheck: z.enum(playerChecks).optional(),
  promisedMinutes: z.int().min(1).max(10_080).optional(),
  /** Amounts that the page proposes, for pricing by combination. */
  presets: z.array(z.int().min(1).max(LIMITS.gameAmountMax)).max(12, 'list_too_long').optional(),
  /** What its line of a fiscal receipt says; null for what the shop's settings say. */
  receiptTax: z.enum(receiptTaxes).nullish(),
  receiptSubject: z.enum(receiptSubjects).nullish(),
  receiptMode: z.enum(receiptModes).nullish(),
  /** What it says in Uzbekistan; the first two belong together. */
  receiptIkpu: ikpu.nullish(),
  receiptPackageCode: packageCode.nullish(),
  receiptVatPercent: vatPercent.nullish(),
  /** Its place in lists, from 0. */
  position: z.int().min(0).max(1_000_000).optional(),
  /** Blank: made from the name. */
  slug: z.union([z.literal(''), slugSchema]).nullish(),
}

const newProduct = z.strictObject({ ...fields, kind: z.enum(productKinds).default('code') })
export type NewProduct = z.infer<typeof newProduct>

const productChange = z.strictObject({ ...fields, version: version.optional() })
export type ProductChange = z.infer<typeof productChange>

const productText = z.object({ name: z.string(), description: z.string(), activationInstructions: z.string() })
export type ProductText = z.infer<typeof productText>

export const editedProduct = productText.extend({
  id,
  slug: z.string(),
  kind: z.enum(productKinds),
  translations: z.partialRecord(languageSchema, productText),
  imageUrl: z.string(),
  color: z.string(),
  keywords: z.array(z.string()),
  category: z.array(z.string()),
  gameCurrency: z.string(),
  supportsCodeGeneration: z.boolean(),
  codePrefix: z.string(),
  codeGame: codeGame.nullable(),
  buysOnDemand: z.boolean(),
  pricing: z.enum(topupPricings),
  playerCheck: z.enum(playerChecks),
  promisedMinutes: z.int(),
  presets: z.array(z.int()),
  receiptTax: z.enum(receiptTaxes).nullable(),
  receiptSubject: z.enum(receiptSubjects).nullable(),
  receiptMode: z.enum(receiptModes).nullable(),
  receiptIkpu: z.string().nullable(),
  receiptPackageCode: z.string().nullable(),
  receiptVatPercent: z.int().nullable(),
  isActive: z.boolean(),
  position: z.int(),
  regions: z.array(
    z.object({
      id,
      name: z.string(),
      code: z.string(),
      flag: z.string(),
      is_active: z.boolean(),
      /** Blank means the product's. */
      game_currency: z.string(),
      offers_count: z.int(),
    }),
  ),
  offers_count: z.int(),
  created_at: time,
  version,
})
export type EditedProduct = z.infer<typeof editedProduct>

/** What deleting a product takes off sale; counts end at `LIMITS.listCountMax`. Receipts keep working. */
const belongings = z.object({
  offers_count: z.int(),
  available_codes: z.int(),
  cart_items: z.int(),
  sold_codes: z.int(),
})
export type Belongings = z.infer<typeof belongings>

export const productsApi = {
  list: adminEndpoint('GET /admin/products', {
    operationId: 'listEditedProducts',
    permission: 'catalogue.read',
    summary: 'Products as they are edited; deleted ones are not listed',
    query: listQuery(['position', 'id', 'name', 'slug', 'is_active', 'created_at']).extend({
      kind: z.enum(productKinds).optional(),
    }),
    answer: toList(editedProduct),
  }),
  one: adminEndpoint('GET /admin/products/:id', {
    operationId: 'readEditedProduct',
    permission: 'catalogue.read',
    summary: 'One product, and what deleting it would take along',
    params: byId,
    answer: toData(editedProduct.extend({ belongings })),
  }),
  add: adminEndpoint('POST /admin/products', {
    operationId: 'addProduct',
    permission: 'catalogue.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Adds a product',
    body: newProduct,
    answer: toData(editedProduct),
    status: 201,
    confirmed: true,
  }),
  copy: adminEndpoint('POST /admin/products/:id/copy', {
    operationId: 'copyProduct',
    permission: 'catalogue.write',
    summary:
      'Adds a product like this one, with its texts, regions, fields and packages, without codes, and not on sale',
    params: byId,
    body: emptyBody,
    answer: toData(editedProduct),
    status: 201,
    confirmed: true,
  }),
  order: adminEndpoint('POST /admin/products/order', {
    operationId: 'orderProducts',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Puts products into another order, in the places that they have between them',
    body: z.strictObject({
      ids: z.array(id).min(1, 'required').max(LIMITS.orderedProductsMax, 'list_too_long'),
      /** As the admin saw them: where somebody else has moved one since, it is refused. */
      seen: z.array(id).max(LIMITS.orderedProductsMax, 'list_too_long').optional(),
    }),
    answer: toData(z.object({ ids: z.array(id) })),
    confirmed: true,
  }),
  change: adminEndpoint('PUT /admin/products/:id', {
    operationId: 'changeProduct',
    permission: 'catalogue.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a product',
    params: byId,
    body: productChange,
    answer: toData(editedProduct),
    confirmed: true,
  }),
  remove: adminEndpoint('DELETE /admin/products/:id', {
    operationId: 'removeProduct',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Takes a product off the shelves for good; says what went with it',
    params: byId,
    answer: toData(belongings.extend({ id })),
    confirmed: true,
  }),
  setRegions: adminEndpoint('PUT /admin/products/:id/regions', {
    operationId: 'setRegionsOfProduct',
    permission: 'catalogue.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets the regions a product is sold in; packages of a region that is left out are not sold',
    params: byId,
    body: z.strictObject({ regionIds: z.array(id).max(200), version: version.optional() }),
    answer: toData(editedProduct),
    confirmed: true,
  }),
  setCurrency: adminEndpoint('PUT /admin/products/:id/regions/:regionId/currency', {
    operationId: 'setCurrencyOfProductRegion',
    permission: 'catalogue.write',
    summary: "Sets the game currency in a region; blank for the product's",
    params: z.object({ id: idText, regionId: idText }),
    body: z.strictObject({ gameCurrency: gameCurrency.nullable(), version: version.optional() }),
    answer: toData(editedProduct),
    confirmed: true,
  }),
}

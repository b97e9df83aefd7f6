import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { providerSetting, providerStates, settingsByName } from './payment-setup.ts'
import { keptVersion, restoredVersion } from './versions.ts'

const name = text(1, LIMITS.wordLengthMax)

/** A supplier, as the owner wants it asked, and the shop's account there. */
const shopSupplier = z.object({
  name: z.string(),
  /**
   * `on`: it is asked. `off`: it is set up, and gets nothing new. `refused`: it does not take the shop's key, as an open alert
   * says. `incomplete`: a setting is missing or wrong. `not_set_up`: the shop has no account here.
   */
  state: z.enum(providerStates),
  /** Since when it does not take the shop's key. */
  refused_since: time.nullable(),
  /** Off: nothing new is sent there; what is under way goes on. */
  is_on: z.boolean(),
  /** Whether SUPPLIERS names it: its account is in the environment then, and can't be changed here. */
  is_in_environment: z.boolean(),
  /** Whether it stands where `orderSuppliers` puts it: the operator is always asked last, and what is not set up never. */
  is_movable: z.boolean(),
  settings: z.array(providerSetting),
  /** The addresses that the supplier has to be told, and which events it has to send there; none stands for all. */
  webhooks: z.array(z.object({ url: z.string(), events: z.array(z.string()) })),
  version,
  changed_at: time.nullable(),
  /** The admin's nickname. */
  changed_by: z.string().nullable(),
})
export type ShopSupplier = z.infer<typeof shopSupplier>

/**
 * What came of asking a supplier what the shop has left there. `works`: it takes the credentials. `refused`: it does not, or
 * refuses for the reason in `code`. `no_answer`: nobody can tell. `not_possible`: there is nothing to ask.
 */
const triedSupplier = z.object({
  result: z.enum(['works', 'refused', 'no_answer', 'not_possible']),
  /** The supplier's word for why it refuses, or what went wrong on the way. */
  code: z.string().nullable(),
  /** What the shop has left there. */
  balance: shownAmountSchema.nullable(),
  balance_currency: z.string().nullable(),
})
export type TriedSupplier = z.infer<typeof triedSupplier>

const bySupplier = z.object({ name: name.describe('The name of the supplier.') })

/** Calls about whom the shop buys from, in which order, and its accounts there. */
export const supplierSetupApi = {
  accounts: adminEndpoint('GET /admin/suppliers/accounts', {
    operationId: 'listSupplierAccounts',
    permission: 'catalogue.read',
    summary:
      'The suppliers there are, in the order in which they are asked, what each needs to be told and what of it is set; never a secret',
    answer: toData(z.array(shopSupplier)),
  }),
  setAccount: adminEndpoint('PUT /admin/suppliers/:name/account', {
    operationId: 'setSupplierAccount',
    permission: 'suppliers.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets the shop’s account at a supplier, or clears it; in force on every node within a second',
    params: bySupplier,
    body: z.strictObject({
      /** A setting that is left out stays, a blank one is cleared; null clears the whole account. */
      settings: settingsByName.nullable(),
      version: version.optional(),
    }),
    answer: toData(shopSupplier),
    confirmed: true,
  }),
  tryAccount: adminEndpoint('POST /admin/suppliers/:name/account/try', {
    operationId: 'trySupplierAccount',
    permission: 'suppliers.setup',
    summary: 'Asks a supplier what the shop has left there, to learn whether it takes the shop’s credentials',
    params: bySupplier,
    body: z.strictObject({
      /** Typed and not stored; what is left out is as it is stored. */
      settings: settingsByName.default({}),
    }),
    answer: toData(triedSupplier),
    confirmed: true,
  }),
  switch: adminEndpoint('PUT /admin/suppliers/:name', {
    operationId: 'switchSupplier',
    permission: 'suppliers.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Switches a supplier on or off; in force on every node within a second, and what is under way goes on',
    params: bySupplier,
    body: z.strictObject({ is_on: z.boolean(), version: version.optional() }),
    answer: toData(shopSupplier),
    confirmed: true,
  }),
  order: adminEndpoint('POST /admin/suppliers/order', {
    operationId: 'orderSuppliers',
    permission: 'suppliers.setup',
    refusals: ['STATE_CONFLICT'],
    summary: 'Puts the suppliers in another order: the first is asked first',
    body: z.strictObject({
      /** All that are set up, in the wanted order; not the operator, who is always asked last. */
      names: z.array(name).min(1, 'required').max(LIMITS.shopSuppliersMax),
      /** As the admin saw them: where somebody else has moved one since, it is refused. */
      seen: z.array(name).max(LIMITS.shopSuppliersMax).optional(),
    }),
    answer: toData(z.array(shopSupplier)),
    confirmed: true,
  }),
  versions: adminEndpoint('GET /admin/suppliers/versions', {
    operationId: 'listSupplierVersions',
    permission: 'catalogue.read',
    summary: 'The last fifty versions of who is asked and in which order, newest first; no account is in them',
    answer: toData(z.array(keptVersion)),
  }),
  restore: adminEndpoint('POST /admin/suppliers/restore', {
    operationId: 'restoreSuppliers',
    permission: 'suppliers.setup',
    refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Asks suppliers as an older version says, of those that are set up now; accounts stay as they are',
    body: restoredVersion,
    answer: toData(z.array(shopSupplier)),
    confirmed: true,
  }),
}

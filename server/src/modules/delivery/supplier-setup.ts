import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { ProviderState } from '@olmos/contract/payment-setup'
import { type ShopSupplier, supplierSetupApi, type TriedSupplier } from '@olmos/contract/supplier-setup'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { accountNamed, changeAccount, readAccounts, type VendorAccount } from '../../platform/vendor/accounts.ts'
import { type AccountSettings, mergeSettings, requireTypable, shownSettings } from '../../platform/vendor/adapters.ts'
import { listVersions } from '../shop/versions.ts'
import type { Supplier, SupplierAdapter, SupplierName } from '../topups/supplier.ts'
import { forgetSwitch, orderSuppliers, restoreSuppliers, switchSupplier } from '../topups/supplier-choices.ts'
import { manual, type SuppliersInForce, supplierAdapters, supplierNamed } from '../topups/suppliers.ts'
import { noteSellers } from './supplier-health.ts'

const table = 'supplier_account'

interface RefusalRow {
  supplier: SupplierName
  created_at: Date
}

/** Reads since when suppliers have not taken the shop's key, as the open alerts say. */
const readRefusals = (queries: Queries) =>
  queries.rows<RefusalRow>(sql`
    SELECT subject AS supplier, created_at FROM alert WHERE kind = 'supplier.not_allowed' AND resolved_at IS NULL`)

/** Counts the deliveries of which the supplier has yet to say what became of them. */
const countUnderWay = async (queries: Queries, supplier: SupplierName): Promise<number> => {
  const { count } = await queries.one<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM delivery JOIN supplier_order ON delivery_id = delivery.id
    WHERE delivery.state IN ('queued', 'sent', 'unknown') AND supplier = ${supplier}
      AND supplier_order.state IN ('sent', 'unknown')`)
  return count
}

interface SetUpShop {
  database: Database
  suppliers: SuppliersInForce
}

/** Takes into force what admins have typed and switched, and tells the catalogue who sells what by it. */
export async function renewSuppliers({ database, suppliers }: SetUpShop): Promise<void> {
  await suppliers.renew()
  await noteSellers(database, suppliers)
}

interface Known {
  account: VendorAccount
  refusal: RefusalRow | undefined
  publicUrl: string
}

/** Shows how a supplier stands, what it needs to be told, and which of that is set where; never a secret. */
function shownSupplier(
  suppliers: SuppliersInForce,
  { name, settings, webhookEvents }: SupplierAdapter,
  { account, refusal, publicUrl }: Known,
): ShopSupplier {
  const isInEnvironment = suppliers.isInEnvironment(name)
  const typed = isInEnvironment ? {} : (account.settings ?? {})
  const isSetUp = supplierNamed(suppliers, name) !== undefined
  const isOn = suppliers.configured.some((supplier) => supplier.name === name)
  const unset: ProviderState = account.isThere ? 'incomplete' : 'not_set_up'
  const set: ProviderState = refusal ? 'refused' : 'on'
  return {
    name,
    state: isOn ? set : isSetUp ? 'off' : unset,
    refused_since: refusal?.created_at.toISOString() ?? null,
    is_on: isOn,
    is_in_environment: isInEnvironment,
    is_movable: isSetUp && name !== manual.name,
    settings: shownSettings(settings, { given: suppliers.given, typed }),
    webhooks: webhookEvents ? [{ url: `${publicUrl}/api/supplier/webhook/${name}`, events: [...webhookEvents] }] : [],
    version: account.version,
    changed_at: account.changedAt?.toISOString() ?? null,
    changed_by: account.changedBy,
  }
}

/** Asks a supplier what the shop has left there. The operator and others without an account can't be asked. */
async function askSupplier(supplier: Supplier): Promise<TriedSupplier> {
  const nothing = { code: null, balance: null, balance_currency: null }
  const answer = await supplier.readBalance?.()
  if (!answer) return { ...nothing, result: 'not_possible' }
  if (answer.kind === 'rejected') return { ...nothing, result: 'refused', code: answer.code }
  if (answer.kind === 'unknown') return { ...nothing, result: 'no_answer', code: answer.why }
  const { amount, currency } = answer.value
  return { result: 'works', code: null, balance: toMajor(amount), balance_currency: currency }
}

/** The calls by which the owner sets up whom the shop buys from. */
export function supplierSetupAdmin(context: Context & SetUpShop): void {
  const { serve, database, vault, suppliers, config } = context

  // A sandbox is there when the environment says so: no stranger meets one because of what is typed here.
  const known = supplierAdapters.filter(({ name, unreal }) => unreal === undefined || suppliers.isInEnvironment(name))

  const requireAdapter = (name: string): SupplierAdapter => {
    const adapter = known.find((one) => one.name === name)
    if (!adapter) throw new Failure('NOT_FOUND')
    return adapter
  }

  const listSuppliers = async (): Promise<ShopSupplier[]> => {
    const [accounts, refusals] = [await readAccounts(database, vault, table), await readRefusals(database)]
    // What is not set up stands at the end.
    const place = ({ name }: SupplierAdapter) =>
      suppliers.order.includes(name) ? suppliers.order.indexOf(name) : suppliers.order.length
    return known
      .toSorted((one, other) => place(one) - place(other))
      .map((adapter) =>
        shownSupplier(suppliers, adapter, {
          account: accountNamed(accounts, adapter.name),
          refusal: refusals.find(({ supplier }) => supplier === adapter.name),
          publicUrl: config.publicUrl,
        }),
      )
  }

  const readSupplier = async (name: SupplierName): Promise<ShopSupplier> => {
    const one = (await listSuppliers()).find((supplier) => supplier.name === name)
    if (!one) throw new Failure('NOT_FOUND')
    return one
  }

  const make = (adapter: SupplierAdapter, settings: AccountSettings): Supplier => {
    const made = suppliers.make(adapter, settings)
    if ('wrong' in made) throw new Failure('VALIDATION_FAILED', made.wrong)
    return made
  }

  /** Answers with the supplier as it is now; refuses what was made of another version than the one in force. */
  const answerChanged = async (name: SupplierName, isChanged: boolean) => {
    await renewSuppliers(context)
    const current = await readSupplier(name)
    if (!isChanged) throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current })
    return { data: current }
  }

  serve(supplierSetupApi.accounts, async () => ({ data: await listSuppliers() }))

  serve(supplierSetupApi.setAccount, async ({ user, params, body }) => {
    const adapter = requireAdapter(params.name)
    const { name } = adapter
    if (suppliers.isInEnvironment(name))
      throw new Failure('STATE_CONFLICT', { reason: 'supplier_in_environment', supplier: name })
    if (body.settings) requireTypable(adapter.settings, suppliers.given, body.settings)
    const isChanged = await database.transaction(async (tx) => {
      const isDone = await changeAccount(tx, vault, user.id, {
        table,
        name,
        subject: `supplier:${name}`,
        typed: body.settings,
        version: body.version,
        async check(settings) {
          if (settings) return void make(adapter, settings)
          const deliveries = await countUnderWay(tx, name)
          if (deliveries > 0)
            throw new Failure('STATE_CONFLICT', { reason: 'deliveries_under_way', supplier: name, deliveries })
        },
      })
      if (isDone && body.settings === null) await forgetSwitch(tx, name)
      tx.notify('supplier', name)
      return isDone
    })
    return answerChanged(name, isChanged)
  })

  serve(supplierSetupApi.tryAccount, async ({ params, body }) => {
    const adapter = requireAdapter(params.name)
    requireTypable(adapter.settings, suppliers.given, body.settings)
    const isStored = Object.keys(body.settings).length === 0
    const inForce = isStored ? supplierNamed(suppliers, adapter.name) : undefined
    const account = accountNamed(await readAccounts(database, vault, table), adapter.name)
    const tried = await askSupplier(inForce ?? make(adapter, mergeSettings(account.settings, body.settings)))
    if (tried.result === 'works' && inForce) await resolveAlert(database, 'supplier.not_allowed', adapter.name)
    return { data: tried }
  })

  serve(supplierSetupApi.switch, async ({ user, params, body }) => {
    const { name } = requireAdapter(params.name)
    // Another node may have set it up a moment ago.
    await suppliers.renew()
    if (body.is_on && !supplierNamed(suppliers, name))
      throw new Failure('STATE_CONFLICT', { reason: 'supplier_not_set_up', supplier: name })
    const isChanged = await database.transaction((tx) =>
      switchSupplier(tx, user.id, suppliers, { supplier: name, isOn: body.is_on, version: body.version }),
    )
    return answerChanged(name, isChanged)
  })

  serve(supplierSetupApi.order, async ({ user, body }) => {
    await suppliers.renew()
    await database.transaction((tx) => orderSuppliers(tx, user.id, suppliers, body))
    await renewSuppliers(context)
    return { data: await listSuppliers() }
  })

  serve(supplierSetupApi.versions, async () => ({ data: await listVersions(database, 'suppliers') }))

  serve(supplierSetupApi.restore, async ({ user, body }) => {
    await suppliers.renew()
    await database.transaction((tx) => restoreSuppliers(tx, user.id, suppliers, body))
    await renewSuppliers(context)
    return { data: await listSuppliers() }
  })
}

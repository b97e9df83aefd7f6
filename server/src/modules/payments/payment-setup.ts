import { randomUUID } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import {
  type ProviderState,
  paymentSetupApi,
  type ShopProvider,
  type TriedAccount,
} from '@olmos/contract/payment-setup'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { resolveAlert } from '../../platform/live/alert.ts'
import { accountNamed, changeAccount, readAccounts, type VendorAccount } from '../../platform/vendor/accounts.ts'
import { type AccountSettings, mergeSettings, requireTypable, shownSettings } from '../../platform/vendor/adapters.ts'
import type { Outcome } from '../../platform/vendor/vendor.ts'
import { listVersions } from '../shop/versions.ts'
import type { AccountFacts, PaymentProvider, ProviderAdapter, ProviderName } from './provider.ts'
import { type Providers, providerAdapters, providerNamed } from './providers.ts'
import { changeMethod, orderMethods, restoreMethod, restoreOrder, shownMethod } from './shop-methods.ts'

const table = 'provider_account'

interface RefusalRow {
  provider: ProviderName
  reason: string | null
  parameter: string | null
  created_at: Date
}

/** Reads the open alerts about providers that refuse the shop, or its payments. */
const readRefusals = (queries: Queries) =>
  queries.rows<RefusalRow>(sql`
    SELECT subject AS provider, details->>'reason' AS reason, details->>'parameter' AS parameter, created_at
    FROM alert WHERE kind IN ('payment.not_allowed', 'payment.refused') AND resolved_at IS NULL ORDER BY id`)

/** Counts payments that the provider may still report on, and refunds that it still owes an answer. */
const countUnderWay = async (queries: Queries, provider: ProviderName): Promise<number> => {
  const { count } = await queries.one<{ count: number }>(sql`
    SELECT (SELECT count(*) FROM payment WHERE provider = ${provider} AND status IN ('opening', 'open'))::int
      + (SELECT count(*) FROM card_refund JOIN payment ON payment.id = payment_id
         WHERE provider = ${provider} AND card_refund.status IN ('sending', 'sent'))::int AS count`)
  return count
}

interface Shop {
  providers: Providers
  publicUrl: string
}

/** Shows what a provider needs to be told, and which of that is set where; never a secret. */
function shownProvider(
  { providers, publicUrl }: Shop,
  adapter: ProviderAdapter,
  { account, refusal }: { account: VendorAccount; refusal: RefusalRow | undefined },
): ShopProvider {
  const { name } = adapter
  const isInEnvironment = providers.isInEnvironment(name)
  const typed = isInEnvironment ? {} : (account.settings ?? {})
  const hook = `${publicUrl}/api/payment/webhook/${name}`
  return {
    name,
    state: toState(providers, { name, isRefused: refusal !== undefined, isThere: account.isThere }),
    refusal: refusal
      ? { reason: refusal.reason, parameter: refusal.parameter, since: refusal.created_at.toISOString() }
      : null,
    is_in_environment: isInEnvironment,
    settings: shownSettings(adapter.settings, { given: providers.given, typed }),
    webhooks: adapter.webhooks.map(({ path, events }) => ({
      url: path === undefined ? hook : `${hook}/${path}`,
      events: [...events],
    })),
    version: account.version,
    changed_at: account.changedAt?.toISOString() ?? null,
    changed_by: account.changedBy,
  }
}

function toState(
  providers: Providers,
  { name, isRefused, isThere }: { name: ProviderName; isRefused: boolean; isThere: boolean },
): ProviderState {
  if (!providerNamed(providers, name)) return isThere ? 'incomplete' : 'not_set_up'
  const isOffered = providers.methods.some(({ provider, rules }) => provider.name === name && rules.isOn)
  if (!isOffered) return 'off'
  return isRefused ? 'refused' : 'on'
}

/** Asks the provider something harmless. One that only asks the shop can't be asked. */
async function askAccount(provider: PaymentProvider): Promise<Outcome<AccountFacts> | undefined> {
  if (provider.tryAccount) return provider.tryAccount()
  if (!provider.readPayment) return undefined
  const asked = await provider.readPayment(provider.othersPaymentId ?? randomUUID())
  const isNotThere = asked.kind === 'rejected' && asked.code !== 'not_allowed'
  return isNotThere || asked.kind === 'done' ? { kind: 'done', value: {} } : asked
}

const toTried = (outcome: Outcome<AccountFacts> | undefined): TriedAccount => {
  const nothing = { code: null, is_test: null, has_receipts: null }
  if (!outcome) return { ...nothing, result: 'not_possible' }
  if (outcome.kind === 'rejected') return { ...nothing, result: 'refused', code: outcome.code }
  if (outcome.kind === 'unknown') return { ...nothing, result: 'no_answer', code: outcome.why }
  const { isTest = null, hasReceipts = null } = outcome.value
  return { result: 'works', code: null, is_test: isTest, has_receipts: hasReceipts }
}

/** The calls by which the owner sets up how customers pay. */
export function paymentSetupAdmin(context: Context & { providers: Providers }): void {
  const { serve, database, vault, providers, config } = context
  const shop = { providers, publicUrl: config.publicUrl }

  // A sandbox is there when the environment says so: no stranger meets one because of what is typed here.
  const known = providerAdapters.filter(({ name, unreal }) => unreal === undefined || providers.isInEnvironment(name))

  const requireAdapter = (name: string): ProviderAdapter => {
    const adapter = known.find((one) => one.name === name)
    if (!adapter) throw new Failure('NOT_FOUND')
    return adapter
  }

  const requireMethod = (name: string) => {
    const method = providers.methods.find((one) => one.method.name === name)
    if (!method) throw new Failure('NOT_FOUND')
    return method
  }

  const listProviders = async (): Promise<ShopProvider[]> => {
    const [accounts, refusals] = [await readAccounts(database, vault, table), await readRefusals(database)]
    return known.map((adapter) => {
      return shownProvider(shop, adapter, {
        account: accountNamed(accounts, adapter.name),
        refusal: refusals.find(({ provider }) => provider === adapter.name),
      })
    })
  }

  const readProvider = async (name: ProviderName): Promise<ShopProvider> => {
    const one = (await listProviders()).find((provider) => provider.name === name)
    if (!one) throw new Failure('NOT_FOUND')
    return one
  }

  const make = (adapter: ProviderAdapter, settings: AccountSettings): PaymentProvider => {
    const made = providers.make(adapter, settings)
    if ('wrong' in made) throw new Failure('VALIDATION_FAILED', made.wrong)
    return made
  }

  serve(paymentSetupApi.providers, async () => ({ data: await listProviders() }))

  serve(paymentSetupApi.setAccount, async ({ user, params, body }) => {
    const adapter = requireAdapter(params.provider)
    if (providers.isInEnvironment(adapter.name))
      throw new Failure('STATE_CONFLICT', { reason: 'provider_in_environment', provider: adapter.name })
    if (body.settings) requireTypable(adapter.settings, providers.given, body.settings)
    const isChanged = await database.transaction((tx) => {
      tx.notify('payment', `provider:${adapter.name}`)
      return changeAccount(tx, vault, user.id, {
        table,
        name: adapter.name,
        subject: `provider:${adapter.name}`,
        typed: body.settings,
        version: body.version,
        async check(settings) {
          if (settings) return void make(adapter, settings)
          const payments = await countUnderWay(tx, adapter.name)
          if (payments > 0)
            throw new Failure('STATE_CONFLICT', { reason: 'payments_under_way', provider: adapter.name, payments })
        },
      })
    })
    await providers.renew()
    const current = await readProvider(adapter.name)
    if (!isChanged) throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current })
    return { data: current }
  })

  serve(paymentSetupApi.tryAccount, async ({ params, body }) => {
    const adapter = requireAdapter(params.provider)
    requireTypable(adapter.settings, providers.given, body.settings)
    const account = accountNamed(await readAccounts(database, vault, table), adapter.name)
    const isStored = Object.keys(body.settings).length === 0
    const inForce = isStored ? providerNamed(providers, adapter.name) : undefined
    const provider = inForce ?? make(adapter, mergeSettings(account.settings, body.settings))
    const tried = toTried(await askAccount(provider))
    if (tried.result === 'works' && inForce) await resolveAlert(database, 'payment.not_allowed', adapter.name)
    return { data: tried }
  })

  serve(paymentSetupApi.methods, async () => ({ data: providers.methods.map(shownMethod) }))

  serve(paymentSetupApi.changeMethod, async ({ user, params, body }) => {
    const method = requireMethod(params.method)
    const data = await database.transaction((tx) => changeMethod(tx, user.id, method, body))
    await providers.renew()
    return { data }
  })

  serve(paymentSetupApi.methodVersions, async ({ params }) => ({
    data: await listVersions(database, `payment_method:${requireMethod(params.method).method.name}`),
  }))

  serve(paymentSetupApi.restoreMethod, async ({ user, params, body }) => {
    const method = requireMethod(params.method)
    const data = await database.transaction((tx) => restoreMethod(tx, user.id, method, body))
    await providers.renew()
    return { data }
  })

  serve(paymentSetupApi.orderVersions, async () => ({ data: await listVersions(database, 'payment_methods') }))

  serve(paymentSetupApi.restoreOrder, async ({ user, body }) => {
    await database.transaction((tx) => restoreOrder(tx, user.id, providers.methods, body))
    await providers.renew()
    return { data: providers.methods.map(shownMethod) }
  })

  serve(paymentSetupApi.orderMethods, async ({ user, body }) => {
    await database.transaction((tx) => orderMethods(tx, user.id, providers.methods, body))
    await providers.renew()
    return { data: providers.methods.map(shownMethod) }
  })
}

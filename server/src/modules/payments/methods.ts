import { type Charge, toCharge } from '@olmos/contract/charge'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { type FillingSettings, fillingsApi } from '@olmos/contract/fillings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type ChargeCurrency, type Currency, currencies } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import type { OfferedMethod } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import { requireVersion } from '../../platform/database/lists.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { type DollarRates, dollarRates } from '../rates/rates.ts'
import { type FeeTerms, type FrozenFee, toFee } from './charge.rules.ts'
import { listNeeds, readFiscalSettings } from './fiscal-receipts.ts'
import type { PaymentProvider } from './provider.ts'
import type { Providers } from './providers.ts'
import { type MethodInForce, readFeeTerms } from './shop-methods.ts'

/** A way to pay an amount: where, by which method, what that costs the customer, and what is charged for both. */
export interface ChosenMethod extends MethodInForce {
  fee: FrozenFee
  charge: Charge
}

interface Wanted {
  /** In minor units, without a fee. */
  amount: number
  currency: Currency
  /** The name of the method; undefined for the first that fits. */
  method?: string | undefined
}

/**
 * Chooses how an amount is paid, and what is charged for it with the fee in force: by the method that is named, or by the
 * first that charges the order's own currency, else by the first that has a rate. Refuses with METHOD_UNAVAILABLE a method
 * that the shop does not offer, or has no rate for; with PAYMENT_PROVIDER_UNAVAILABLE when nothing takes the currency; and
 * with BELOW_LEAST_AMOUNT or ABOVE_MOST_AMOUNT when what does takes no amount that small, or that large.
 */
export async function chooseMethod(queries: Queries, providers: Providers, wanted: Wanted): Promise<ChosenMethod> {
  const { method, currency } = wanted
  const offered = listMethods(providers).filter((one) => method === undefined || one.method.name === method)
  if (method !== undefined && offered.length === 0)
    throw new Failure('METHOD_UNAVAILABLE', { method, reason: 'not_offered' })
  const direct = offered.filter((one) => listCharges(one).includes(currency))
  const isDirect = direct.length > 0
  const rates = isDirect || offered.length === 0 ? noRates : await dollarRates(queries)
  const fees = await readFeeTerms(queries, currency)
  const takers = (isDirect ? direct : offered).flatMap((one) => withCharge(one, wanted, { rates, fees }))
  const taker = takers.find((one) => findBound(one, wanted) === undefined)
  if (taker) return taker
  throwBound(takers.flatMap((one) => findBound(one, wanted) ?? []))
  if (method !== undefined) throw new Failure('METHOD_UNAVAILABLE', { method, reason: 'no_rate' })
  throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', currency })
}

/** What an amount would have to be for a method, in minor units. */
type Bound = { least: number; currency: ChargeCurrency } | { most: number; currency: Currency }

/** Finds what keeps a method from taking the amount: the shop's rules, in the order's currency, or the provider's least. */
function findBound({ provider, rules, charge }: ChosenMethod, { amount, currency }: Wanted): Bound | undefined {
  const [least, most] = [rules.least[currency], rules.most[currency]]
  if (least !== undefined && amount < least) return { least, currency }
  if (most !== undefined && amount > most) return { most, currency }
  const ownLeast = toLeast(provider, charge)
  return charge.amount < ownLeast ? { least: ownLeast, currency: charge.currency } : undefined
}

/** Refuses an amount that no method takes, with the bound that is nearest. */
function throwBound(bounds: readonly Bound[]): void {
  const [below] = bounds.flatMap((bound) => ('least' in bound ? bound : [])).toSorted((a, b) => a.least - b.least)
  if (below) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(below.least), currency: below.currency })
  const [above] = bounds.flatMap((bound) => ('most' in bound ? bound : [])).toSorted((a, b) => b.most - a.most)
  if (above) throw new Failure('ABOVE_MOST_AMOUNT', { most: toMajor(above.most), currency: above.currency })
}

const noRates: DollarRates = new Map()

/** Lists the methods that are on, in the shop's order. */
const listMethods = ({ methods }: Providers): MethodInForce[] => methods.filter(({ rules }) => rules.isOn)

/** Lists the marks that the methods which are on are known by, in the shop's order: what every page says one can pay with. */
export const listMarks = (providers: Providers): PaymentMark[] => [
  ...new Set(listMethods(providers).map(({ method }) => method.mark)),
]

const listCharges = ({ provider, method }: Pick<MethodInForce, 'provider' | 'method'>) =>
  method.charges ?? provider.charges

/** Refuses a fee that differs from the one the customer saw, both in minor units: PRICE_CHANGED. */
export function requireSeenFee(fee: number, { currency, seen }: { currency: Currency; seen: number }): void {
  if (fee !== seen) throw new Failure('PRICE_CHANGED', { currency, fee: toMajor(fee) })
}

/** What prices of methods follow from: rates to the dollar, and what customers pay for which method. */
interface Tariff {
  rates: DollarRates
  fees: ReadonlyMap<string, FeeTerms>
}

/** Returns the method with its charge: in the order's own currency, or in the first that has a rate; else nothing. */
function withCharge(one: MethodInForce, { amount, currency }: Wanted, { rates, fees }: Tariff): ChosenMethod[] {
  const charges = listCharges(one)
  const fee = toFee(fees.get(one.method.name), amount)
  const inOrder = charges.includes(currency) ? [currency] : charges
  for (const charged of inOrder) {
    const charge = toCharge({ amount: amount + fee.amount, currency }, charged, rates)
    if (charge) return [{ ...one, fee, charge }]
  }
  return []
}

/**
 * Lists the methods that can pay an order in the currency, in the order of the shop, with what each charges for the amount,
 * in minor units, at the rates in force. One that takes no amount that small, or that large, is listed all the same.
 */
export async function listOffered(
  queries: Queries,
  providers: Providers,
  { currency, amount, language }: { currency: Currency; amount: number | undefined; language: Language },
): Promise<OfferedMethod[]> {
  const offered = listMethods(providers)
  const areDirect = offered.every((one) => listCharges(one).includes(currency))
  const rates = areDirect ? noRates : await dollarRates(queries)
  const fees = await readFeeTerms(queries, currency)
  const chargeFor = (bound: number | undefined, { charge, method }: ChosenMethod) => {
    if (bound === undefined) return undefined
    const fee = toFee(fees.get(method.name), bound)
    return toCharge({ currency, amount: bound + fee.amount }, charge.currency, rates)?.amount
  }
  const settings = await readFiscalSettings(queries)
  return offered
    .flatMap((one) => withCharge(one, { currency, amount: amount ?? 1 }, { rates, fees }))
    .map((one) => ({
      ...one,
      least: chargeFor(one.rules.least[currency], one),
      most: chargeFor(one.rules.most[currency], one),
    }))
    .map(({ provider, method, rules, charge, fee, least, most }) => ({
      name: method.name,
      title: rules.titles[language] ?? null,
      marks: [method.mark],
      charge_currencies: [...listCharges({ provider, method })],
      charge: {
        currency: charge.currency,
        rate: charge.rate,
        amount: amount === undefined ? null : toMajor(charge.amount),
      },
      least: toMajor(Math.max(toLeast(provider, charge), least ?? 0)),
      most: shownMost(most),
      fee: amount === undefined || fee.amount === 0 ? null : toMajor(fee.amount),
      needs: listNeeds(provider, settings),
    }))
}

const toLeast = ({ least }: PaymentProvider, { currency }: Charge): number => least?.[currency] ?? 1

const shownMost = (most: number | undefined): number | null => (most === undefined ? null : toMajor(most))

/**
 * Finds the mark of the method that an order is paid by; null where the shop no longer has that method. Payments older than
 * the methods carry none, and were made by the first of their provider.
 */
export function findMark(
  { configured }: Pick<Providers, 'configured'>,
  paid: { method: string | null; provider: string },
): PaymentMark | null {
  const methods = configured.find(({ name }) => name === paid.provider)?.methods
  const method = paid.method === null ? methods?.[0] : methods?.find(({ name }) => name === paid.method)
  return method?.mark ?? null
}

/** Amounts are in minor units. */
interface SettingsRow {
  is_on: boolean
  least_usd: number
  least_rub: number
  most_usd: number
  most_rub: number
  version: number
}

const columns = sql`is_on, least_usd, least_rub, most_usd, most_rub, version`

const readSettings = (queries: Queries) => queries.one<SettingsRow>(sql`SELECT ${columns} FROM filling_settings`)

const lockSettings = (tx: Tx) => tx.one<SettingsRow>(sql`SELECT ${columns} FROM filling_settings FOR UPDATE`)

const writeSettings = (tx: Tx, settings: Omit<SettingsRow, 'version'>) =>
  tx.one<SettingsRow>(sql`
    UPDATE filling_settings SET is_on = ${settings.is_on}, least_usd = ${settings.least_usd},
      least_rub = ${settings.least_rub}, most_usd = ${settings.most_usd}, most_rub = ${settings.most_rub}
    RETURNING ${columns}`)

const toBounds = (row: SettingsRow, currency: Currency) =>
  currency === 'USD' ? { least: row.least_usd, most: row.most_usd } : { least: row.least_rub, most: row.most_rub }

/**
 * Refuses to fill a balance where the shop does not allow it (STATE_CONFLICT), or with less or more than it allows, in minor
 * units: BELOW_LEAST_AMOUNT, ABOVE_MOST_AMOUNT.
 */
export async function requireFillable(
  queries: Queries,
  { amount, currency }: { amount: number; currency: Currency },
): Promise<void> {
  const settings = await readSettings(queries)
  if (!settings.is_on) throw new Failure('STATE_CONFLICT', { reason: 'filling_off' })
  const { least, most } = toBounds(settings, currency)
  if (amount < least) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(least), currency })
  if (amount > most) throw new Failure('ABOVE_MOST_AMOUNT', { most: toMajor(most), currency })
}

const amounts = ['least_usd', 'least_rub', 'most_usd', 'most_rub'] as const

const shownSettings = (row: SettingsRow): FillingSettings => ({
  ...row,
  ...(Object.fromEntries(amounts.map((name) => [name, toMajor(row[name])])) as Record<
    (typeof amounts)[number],
    number
  >),
})

/** Refuses a most that is under its least: VALIDATION_FAILED. */
function requireInOrder(row: Omit<SettingsRow, 'version'>): void {
  if (row.least_usd > row.most_usd) throw new Failure('VALIDATION_FAILED', { most_usd: 'invalid_range' })
  if (row.least_rub > row.most_rub) throw new Failure('VALIDATION_FAILED', { most_rub: 'invalid_range' })
}

export function fillingSettingsRoutes({ serve, database }: Context): void {
  serve(fillingsApi.terms, async () => {
    const row = await readSettings(database)
    return {
      is_on: row.is_on,
      bounds: currencies.map((currency) => {
        const { least, most } = toBounds(row, currency)
        return { currency, least: toMajor(least), most: toMajor(most) }
      }),
    }
  })

  serve(fillingsApi.settings, async () => ({ data: shownSettings(await readSettings(database)) }))

  serve(fillingsApi.change, ({ user, body: { version, is_on, ...change } }) =>
    database.transaction(async (tx) => {
      const before = await lockSettings(tx)
      requireVersion(shownSettings(before), version)
      const typed = Object.entries(change).filter(([, amount]) => amount !== undefined)
      const changed = Object.fromEntries(typed.map(([name, amount]) => [name, toMinor(amount)]))
      const wanted: SettingsRow = { ...before, ...(is_on !== undefined && { is_on }), ...changed }
      requireInOrder(wanted)
      const after = await writeSettings(tx, wanted)
      await writeAudit(tx, {
        actorId: user.id,
        action: 'filling.settings',
        subject: 'filling_settings',
        before: shownSettings(before),
        after: shownSettings(after),
      })
      return { data: shownSettings(after) }
    }),
  )
}

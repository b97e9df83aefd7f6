import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'
import type { Queries } from '../../platform/database/queries.ts'
import { type DollarRates, dollarRates } from '../rates/rates.ts'
import { type Charge, toCharge } from './charge.rules.ts'
import { listNeeds, readFiscalSettings } from './fiscal-receipts.ts'
import type { PaymentProvider, ProviderMethod } from './provider.ts'
import type { Providers } from './providers.ts'

/** A way to pay an amount: where, by which method, and what is charged for it. */
export interface ChosenMethod {
  provider: PaymentProvider
  method: ProviderMethod
  charge: Charge
}

interface Wanted {
  /** In minor units. */
  amount: number
  currency: Currency
  /** The name of the method; undefined for the first that fits. */
  method?: string | undefined
}

/**
 * Chooses how an amount is paid, and what is charged: by the method that is named, or by the first that charges the order's
 * own currency, else by the first that has a rate. Refuses with METHOD_UNAVAILABLE a method that the shop does not have, or
 * has no rate for; with PAYMENT_PROVIDER_UNAVAILABLE when nothing takes the currency; and with BELOW_LEAST_AMOUNT when what
 * does takes no amount that small.
 */
export async function chooseMethod(queries: Queries, providers: Providers, wanted: Wanted): Promise<ChosenMethod> {
  const { method, currency } = wanted
  const offered = listMethods(providers).filter((one) => method === undefined || one.method.name === method)
  if (method !== undefined && offered.length === 0)
    throw new Failure('METHOD_UNAVAILABLE', { method, reason: 'not_offered' })
  const direct = offered.filter((one) => listCharges(one).includes(currency))
  const isDirect = direct.length > 0
  const rates = isDirect || offered.length === 0 ? noRates : await dollarRates(queries)
  const takers = (isDirect ? direct : offered).flatMap((one) => withCharge(one, wanted, rates))
  const taker = takers.find(({ provider, charge }) => toLeast(provider, charge) <= charge.amount)
  if (taker) return taker
  const [least] = takers
    .map(({ provider, charge }) => ({ least: toLeast(provider, charge), currency: charge.currency }))
    .sort((one, other) => one.least - other.least)
  if (least) throw new Failure('BELOW_LEAST_AMOUNT', { least: toMajor(least.least), currency: least.currency })
  if (method !== undefined) throw new Failure('METHOD_UNAVAILABLE', { method, reason: 'no_rate' })
  throw new Failure('PAYMENT_PROVIDER_UNAVAILABLE', { reason: 'not_configured', currency })
}

const noRates: DollarRates = new Map()

const listMethods = ({ configured }: Providers): MethodAtProvider[] =>
  configured.flatMap((provider) => provider.methods.map((method) => ({ provider, method })))

type MethodAtProvider = Omit<ChosenMethod, 'charge'>

const listCharges = ({ provider, method }: MethodAtProvider) => method.charges ?? provider.charges

/** Returns the method with its charge: in the order's own currency, or in the first that has a rate; else nothing. */
function withCharge(one: MethodAtProvider, wanted: Wanted, rates: DollarRates): ChosenMethod[] {
  const charges = listCharges(one)
  const inOrder = charges.includes(wanted.currency) ? [wanted.currency] : charges
  for (const currency of inOrder) {
    const charge = toCharge(wanted, currency, rates)
    if (charge) return [{ ...one, charge }]
  }
  return []
}

/**
 * Lists the methods that can pay an order in the currency, in the order of the shop, with what each charges for the amount,
 * in minor units, at the rates in force. One that takes no amount that small is listed all the same.
 */
export async function listOffered(
  queries: Queries,
  providers: Providers,
  { currency, amount }: { currency: Currency; amount: number | undefined },
): Promise<OfferedMethod[]> {
  const offered = listMethods(providers)
  const areDirect = offered.every((one) => listCharges(one).includes(currency))
  const rates = areDirect ? noRates : await dollarRates(queries)
  const settings = await readFiscalSettings(queries)
  return offered
    .flatMap((one) => withCharge(one, { currency, amount: amount ?? 1 }, rates))
    .map(({ provider, method, charge }) => ({
      name: method.name,
      title: null,
      marks: [method.mark],
      charge_currencies: [...listCharges({ provider, method })],
      charge: {
        currency: charge.currency,
        rate: charge.rate,
        amount: amount === undefined ? null : toMajor(charge.amount),
      },
      least: toMajor(toLeast(provider, charge)),
      most: null,
      fee: null,
      needs: listNeeds(provider, settings),
    }))
}

const toLeast = ({ least }: PaymentProvider, { currency }: Charge): number => least?.[currency] ?? 1

import { LIMITS } from '@olmos/contract/limits'
import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Resources } from '../../platform/context.ts'
import type { Queries, Tx } from '../../platform/database.ts'
import { formatDecimal, inHundredths, isJump, parseDecimal } from '../rates/rate.rules.ts'
import { dollarRates } from '../rates/rates-in-force.ts'
import type { SteamRates } from './steam.rules.ts'
import { lockSteamRates, noteSteamRate, readSteamRates } from './steam-rates.store.ts'
import type { Suppliers } from './suppliers.ts'

/** By currency, what a supplier reckons with and has said lately; none where the shop's own rates have to do. */
export async function steamRates(queries: Queries): Promise<SteamRates> {
  const rows = await readSteamRates(queries)
  return new Map(
    rows.flatMap(({ id, currency, rate }) => {
      const value = parseDecimal(rate)
      return value === undefined ? [] : [[currency, { id, rate: value }] as const]
    }),
  )
}

/**
 * Asks the supplier that Steam is bought from first what it reckons with. While it does not say, its last word holds for
 * `LIMITS.steamRateMinutes`, then the shop's own rates do. A rate too far from those is not believed, and calls the operator.
 */
export async function keepSteamRates({
  database,
  log,
  suppliers,
}: Pick<Resources, 'database' | 'log'> & { suppliers: Suppliers }): Promise<void> {
  const supplier = suppliers.configured.find(({ sells }) => sells.includes('steam'))
  const answer = await supplier?.readSteamRates?.()
  if (!supplier || !answer) return
  if (answer.kind !== 'done') {
    log.warn({ supplier: supplier.name, answer }, 'steam rates not read')
    return
  }
  const { rub, kzt } = answer.value
  await database.transaction(async (tx) => {
    await lockSteamRates(tx)
    await note(tx, { supplier: supplier.name, currency: 'RUB', rate: rub })
    await note(tx, { supplier: supplier.name, currency: 'KZT', rate: kzt })
  })
}

async function note(tx: Tx, said: { supplier: string; currency: string; rate: string }): Promise<void> {
  const own = (await dollarRates(tx)).get(said.currency)
  const rate = parseDecimal(said.rate)
  const [kind, subject] = ['supplier.steam_rate', `${said.supplier}:${said.currency}`] as const
  const isOff = !own || !rate || isJump(own, rate, inHundredths(String(LIMITS.steamRateOffPercent)))
  if (isOff) {
    const details = { held: said.rate, in_force: own && formatDecimal(own) }
    return raiseAlert(tx, { kind, subject, details, whenChanged: 'refresh' })
  }
  await noteSteamRate(tx, said)
  await resolveAlert(tx, kind, subject)
}

import { Failure } from '@olmos/contract/failure'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import type { SteamCredit, TopupLine, TopupTarget } from './topups.store.ts'

/** Sums up what all of it costs, in minor units. */
const toTotals = (lines: readonly TopupLine[]): Record<Currency, number> => ({
  USD: lines.reduce((sum, line) => sum + line.price_usd * line.quantity, 0),
  RUB: lines.reduce((sum, line) => sum + line.price_rub * line.quantity, 0),
})

export interface SeenPrices {
  /** In major units; 0 when the customer was shown none. */
  price_usd: number
  price_rub: number
}

/** Refuses a top-up whose price differs from what the customer saw in the currency of the payment: PRICE_CHANGED. */
export function requireSeenPrice(lines: readonly TopupLine[], seen: SeenPrices, currency: Currency): void {
  const totals = toTotals(lines)
  const seenPrice = currency === 'USD' ? seen.price_usd : seen.price_rub
  if (totals[currency] !== toMinor(seenPrice)) throw priceChanged(totals)
}

/** Refuses when the total, in minor units, differs from what the customer saw: PRICE_CHANGED. */
export function requireSeenTotal(lines: readonly TopupLine[], seen: number, currency: Currency): void {
  const totals = toTotals(lines)
  if (totals[currency] !== seen) throw priceChanged(totals, { currency, total: toMajor(totals[currency]) })
}

/**
 * Refuses when any price the customer saw has changed, or none was shown, while the currency of the payment is open.
 */
export function requireSeenPrices(lines: readonly TopupLine[], seen: SeenPrices): void {
  const totals = toTotals(lines)
  const usd = toMinor(seen.price_usd)
  const rub = toMinor(seen.price_rub)
  const isSame = (usd === 0 || usd === totals.USD) && (rub === 0 || rub === totals.RUB)
  if (!isSame || usd + rub === 0) throw priceChanged(totals)
}

const priceChanged = (totals: Record<Currency, number>, more: object = {}): Failure =>
  new Failure('PRICE_CHANGED', { ...more, price_usd: toMajor(totals.USD), price_rub: toMajor(totals.RUB) })

/** Identifies equal top-ups bought without a cart: by the player, the offers and their quantities. */
export function topupKey(lines: readonly TopupLine[]): string {
  const [first] = lines
  if (!first) throw new Error('a top-up of nothing')
  const { service, account } = first.target
  const parts = lines.map(({ offer_id, quantity, target: { steam } }) =>
    steam ? `${steam.currency}${steam.amount}` : `${offer_id}x${quantity}`,
  )
  return [service, account.toLowerCase(), parts.toSorted().join(',')].join(':')
}

/** A player's top-ups, however they were bought. */
export interface ToppedUp {
  offer_id: number | null
  quantity: number
  target: Pick<TopupTarget, 'service' | 'account'> & { steam: Pick<SteamCredit, 'amount' | 'currency'> | null }
}

/**
 * Whether one of two purchases has everything the other has for some player, which is what a customer does who doubts
 * that the first press worked.
 */
export function isRepeat(wanted: readonly ToppedUp[], earlier: readonly ToppedUp[]): boolean {
  const before = partsByPlayer(earlier)
  return [...partsByPlayer(wanted)].some(([player, parts]) => {
    const others = before.get(player)
    return others !== undefined && (hasAll(parts, others) || hasAll(others, parts))
  })
}

/** Counts each offer, or each amount for Steam, by player. */
function partsByPlayer(items: readonly ToppedUp[]): Map<string, Map<string, number>> {
  const players = new Map<string, Map<string, number>>()
  for (const { offer_id, quantity, target } of items) {
    const player = `${target.service}:${target.account.toLowerCase()}`
    const what = target.steam ? `${target.steam.currency}${target.steam.amount}` : String(offer_id)
    const parts = players.get(player) ?? new Map<string, number>()
    players.set(player, parts.set(what, (parts.get(what) ?? 0) + quantity))
  }
  return players
}

const hasAll = (parts: ReadonlyMap<string, number>, wanted: ReadonlyMap<string, number>): boolean =>
  [...wanted].every(([what, quantity]) => parts.get(what) === quantity)

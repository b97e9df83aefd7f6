import { withoutZeros } from '@olmos/contract/topup-data'
import type { Queries, Tx } from '../../platform/database.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import type { SteamCredit, TopupTarget } from '../topups/topup-line.ts'
import { deleteItems, type LineRow, lockCart, readLines, readSteamLogins, type TopupColumns } from './cart.store.ts'
import { withSteamPrices } from './steam-items.ts'

export interface CartLine extends Omit<LineRow, keyof TopupColumns> {
  /** Of a top-up: whom it goes to. */
  target: TopupTarget | null
}

export interface HeldCart {
  version: number
  lines: CartLine[]
}

/** The cart as it would be charged now; nobody changes or buys it until the transaction ends. */
export async function holdCart(tx: Tx, userId: number): Promise<HeldCart> {
  const [cart, lines] = await Promise.all([lockCart(tx, userId), readLines(tx, userId)])
  return { version: cart.version, lines: (await withSteamPrices(tx, lines)).map(lineOf) }
}

function lineOf({
  service,
  account,
  player_name: playerName,
  steam_amount: _amount,
  steam_currency: _currency,
  steam,
  ...line
}: LineRow & { steam: SteamCredit | null }): CartLine {
  if (!service || !account) return { ...line, target: null }
  // Carts are older than the rule that no player's id begins with 0.
  const recipient = service === 'steam' ? account : withoutZeros(account)
  return { ...line, target: { service, account: recipient, playerName, steam } }
}

/**
 * Refuses a cart with a Steam login that can't be topped up, with STEAM_LOGIN_REFUSED: it was fine when it was put in, or
 * nobody could tell. Suppliers are asked, about all logins at once, so call it outside any transaction.
 */
export async function requireRefillableCart(
  queries: Queries,
  players: PlayerCheck,
  { userId, address }: { userId: number; address: string },
): Promise<void> {
  const logins = await readSteamLogins(queries, userId)
  await Promise.all(logins.map((login) => players.requireRefillable(login, address)))
}

/** Takes what was bought out of the cart. Its version stays: that version has become an order. */
export const emptyBoughtCart = (tx: Tx, userId: number) => deleteItems(tx, userId)

/** Holds a cart without a look at its lines: whoever changes the customer's orders does so one after the other. */
export async function holdCartVersion(tx: Tx, userId: number): Promise<number> {
  const { version } = await lockCart(tx, userId)
  return version
}

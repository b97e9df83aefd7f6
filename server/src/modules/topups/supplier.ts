import { setTimeout as sleep } from 'node:timers/promises'
import { type Decimal, formatDecimal } from '@olmos/contract/decimal'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { ForgedWebhook, HttpReply, VendorAdapter, Webhook } from '../../platform/vendor/adapters.ts'
import {
  done,
  type Outcome,
  rejected,
  toHttpOutcome,
  unknown,
  type VendorAnswer,
  type VendorFetch,
  vendorWords,
} from '../../platform/vendor/vendor.ts'

/** What a supplier is called: `name` of its adapter. */
export type SupplierName = string

/** What a supplier may be made of besides its settings. */
export interface SupplierDeps {
  database: Database
  fetchVendor: VendorFetch
  /** Where the store is reached from outside. */
  publicUrl: string
  clock: { now(): Date }
  /** How much of a currency one USD is; undefined while nobody can say for certain. */
  rateToBuyBy(currency: string): Promise<Decimal | undefined>
}

/** A supplier as it stands in the list of `suppliers.ts`. */
export type SupplierAdapter<Settings extends z.ZodObject = z.ZodObject> = VendorAdapter<
  Settings,
  SupplierDeps,
  Supplier
> & {
  /**
   * The settings that name the shop's account there: an order that was sent at one account is never sent again at another.
   * None where there is no account.
   */
  readonly account: readonly (keyof Settings['shape'] & string)[]
  /** What it calls the events that it has to send to the shop's address for webhooks, as an operator enters it in its cabinet. */
  readonly webhookEvents?: readonly string[]
}

/** What a supplier can be asked for: an offer of a game, an amount that arrives in a wallet, or an activation code. */
export type Wanted = 'topup' | 'amount' | 'code'

/** What a customer filled in, by the names that the supplier has for the fields: { player_id: '512' }. */
export type Account = Readonly<Record<string, string>>

/**
 * A company the shop buys from. Every call has a time-out. `rejected` means that the supplier certainly did nothing;
 * whatever may have happened all the same (a time-out, an error of theirs, an answer nobody can read, a conflict on the
 * shop's own key) is `unknown`, and the caller looks the order up, never sends it under a new key.
 */
export interface Supplier {
  readonly name: SupplierName
  /** Tells the shop's account there from every other, in hexadecimal digits, and is no secret; none where there is none. */
  readonly accountMark?: string
  readonly sells: readonly Wanted[]
  /** Whether it tops a player up with a code that the shop owns. */
  readonly redeemsCodes: boolean
  /** Whether it delivers only what has a name there, `item`. */
  readonly needsItem: boolean
  /** How long after an order was sent a look-up that does not find it proves nothing. */
  readonly settlesWithinSeconds: number
  /**
   * How it recognises an order that was sent before: by the shop's key for so long, by the shop's own reference whenever it
   * is looked up, or not at all, and then it is never asked twice by itself.
   */
  readonly remembers: { keySeconds: number } | 'own_reference' | 'nothing'
  /** Lists the games, or shelves of codes, that it sells. */
  listServices?(cursor?: string): Promise<Outcome<VendorPage<VendorService>>>
  /** Lists what it sells of one of them, by its own reference. */
  listProducts?(service: string, cursor?: string): Promise<Outcome<VendorPage<VendorProduct>>>
  /** Lists what may be chosen in a field of a game, such as its servers. */
  listOptions?(service: string, field: string): Promise<Outcome<readonly VendorOption[]>>
  /** Whether an order of this game has to hand back the token that `checkPlayer` gave for its account a moment before. */
  givesToken?(service: string): boolean
  /**
   * Looks for the player of an account, in the game that it calls `service` where players are looked for;
   * `rejected('not_found')` when there is none, or none who can be topped up.
   */
  checkPlayer?(service: string, account: Account): Promise<Outcome<Player>>
  /**
   * Buys one unit, for `costAtMost` at most: what costs more is `rejected('too_dear')` with its `cost` and the cap as facts,
   * before anything is sent that buys. The same key again is the same order. `float_empty`, `not_allowed` and `no_rate` are
   * rejections that are the shop's own fault. Where something that is read first stays unknown, so that nothing was sent that
   * buys, the outcome says so (`beforeSending`): the order begins again, or goes to somebody else.
   */
  order(request: SupplierRequest): Promise<Outcome<SupplierOrder>>
  /**
   * What became of an order that was sent; `rejected('not_found')` when it certainly never arrived. Buys nothing twice, and
   * nothing for more than `costAtMost`.
   */
  lookUp(request: SupplierRequest, sent: SentOrder): Promise<Outcome<SupplierOrder>>
  /** Reads what the shop has left there. */
  readBalance?(): Promise<Outcome<Balance>>
  /** Reads how many units of each currency one USD of Steam balance costs there, as decimals. */
  readSteamRates?(): Promise<Outcome<Readonly<Record<SteamCurrency, string>>>>
  /** Looks at a webhook and trusts none that is forged; never throws, whatever the bytes are. */
  readWebhook?(webhook: Webhook): SupplierWebhook
}

export interface SupplierRequest {
  /** A UUID, the same for every attempt. */
  key: string
  wanted: Wanted
  /** Empty for a code. */
  account: Account
  /** The token of the player check, where the supplier gave one for this account. */
  token?: string
  /** What the supplier calls the item; none for an amount, and for what has no name there. */
  item: string | null
  /** Minor units that shall arrive; for an amount only. */
  steam?: { amount: number; currency: SteamCurrency }
  /** A code of the shop to be spent on the account, instead of an item to be bought. Never to be logged. */
  code?: string
  /** The most that one unit may cost the shop, in USD. */
  costAtMost: Decimal
  /** Whether it may have been sent before. */
  isRepeat?: boolean
}

interface SentOrder {
  supplierOrderId: string | null
  /** Since it was last sent. */
  ageSeconds: number
}

export interface SupplierOrder {
  supplierOrderId: string
  /** `failed`: it will not be delivered, and the shop was not charged for it, or got its money back. */
  status: 'pending' | 'done' | 'failed'
  why?: string
  /** Activation codes, when codes were wanted. Never to be logged. */
  codes?: readonly string[]
  /** What it took for the unit, where it is known: a decimal, and the currency it is in. */
  cost?: { amount: string; currency: string }
}

export interface Player {
  /** Null where nobody tells names. */
  name: string | null
  /** What an order for this account has to hand back. */
  token?: string
}

export interface VendorPage<Item> {
  items: readonly Item[]
  /** Where the next page begins; none after the last. */
  next?: string
  /** How many pages the list has, where it tells. */
  pages?: number
}

/** A game as a supplier has it. */
export interface VendorService {
  reference: string
  title: string
  kind: 'topup' | 'code'
  /** The name under which players are looked for; none where it does not check players of this game. */
  checkReference?: string
  fields: readonly VendorField[]
}

/** A field that the supplier wants filled in. */
export interface VendorField {
  key: string
  label: string
  type: 'digits' | 'text' | 'select'
  isRequired: boolean
  options?: readonly VendorOption[]
}

export interface VendorOption {
  value: string
  label: string
}

/** Something a supplier sells. */
export interface VendorProduct {
  /** What an order names. */
  reference: string
  name: string
  /** A decimal above zero, and the currency it is in. */
  cost: string
  currency: string
  /** None where it does not say. */
  stock?: number
  quantityMin?: number
  quantityMax?: number
  region?: string
}

/** In hundredths, rounded down. */
interface Balance {
  amount: number
  currency: string
}

export interface SupplierEvent {
  /** The supplier's id of the event, or whatever tells it from every other. */
  eventKey: string
  /** The order that it speaks of: by the supplier's name for it, or by the shop's key. */
  about: { supplierOrderId: string } | { key: string }
}

type SupplierWebhook =
  | ForgedWebhook
  /** Nothing that it says is believed: the orders are looked up. */
  | { verified: true; events: readonly SupplierEvent[]; reply: HttpReply }

/** The code of the rejection that the store's alerts look for. */
export const tooDear = 'too_dear'

/** Rejects what costs more than it may; undefined for what does not. `cost` and `atMost` are in `currency`. */
export function refuseTooDear(cost: Decimal, atMost: Decimal, currency: string): Outcome<never> | undefined {
  if (cost <= atMost) return undefined
  const shown = (amount: Decimal) => `${formatDecimal(amount).replace(/(\.\d{2,}?)0+$/, '$1')} ${currency}`
  return rejected(tooDear, { facts: { cost: shown(cost), at_most: shown(atMost) } })
}

/** What a supplier's answer other than a success means; a rejection for too little money is `float_empty` at each of them. */
export const toTrouble = (answer: VendorAnswer, reason: string | undefined): Outcome<never> =>
  toHttpOutcome(answer, reason !== undefined && /insufficient/i.test(reason) ? 'float_empty' : reason)

/** What a unit cost the shop, as an order's outcome has it. */
export const toCost = (cost: Decimal, currency: string): NonNullable<SupplierOrder['cost']> => ({
  amount: formatDecimal(cost),
  currency,
})

/**
 * Whether an order may be sent again under its key. It may until four fifths of the time for which the supplier remembers
 * the key have passed: a repeat may be late on its way, and a forgotten key buys once more.
 */
export const canRepeat = ({ keySeconds }: { keySeconds: number }, ageSeconds: number): boolean =>
  ageSeconds * 5 <= keySeconds * 4

/**
 * Fills the fields that a supplier wants from an account, by their names. An account of one value fills the one field that
 * has to be filled, whatever either is called. Undefined where a field that has to be filled stays empty.
 */
export function fillFields(
  wanted: readonly Pick<VendorField, 'key' | 'isRequired'>[],
  account: Account,
): Account | undefined {
  const given = new Map(Object.entries(account).filter(([, value]) => value !== ''))
  const required = wanted.filter(({ isRequired }) => isRequired)
  const [[only], [value]] = [required, given]
  const isForOne = given.size === 1 && required.length === 1
  if (only && value && isForOne && !wanted.some(({ key }) => key === value[0])) return { [only.key]: value[1] }
  if (required.some(({ key }) => !given.has(key))) return undefined
  return Object.fromEntries(wanted.flatMap(({ key }) => (given.has(key) ? [[key, given.get(key) ?? '']] : [])))
}

/** What a vendor calls something it sells, for people. */
export const vendorTitle = vendorWords(200)
  .transform((text) => text.trim())
  .pipe(z.string().min(1))

/** How many there are, or may be bought; none where what is told can't be that. */
export const vendorCount = z.int().min(0).max(1_000_000_000).nullish().catch(undefined)

/**
 * Reads the rows of a vendor's list, each by itself. `read` answers undefined for a row that can't be read, and null for one
 * that is not for sale. Both are left out: a price of 0, or with nine decimals, must not keep the rest from being known. So is
 * a row whose reference an earlier one has. A list in which nothing can be read is `unknown`, because an empty one would say
 * that everything is gone.
 */
export function readRows<Item extends { reference: string }>(
  rows: readonly unknown[],
  read: (row: unknown) => Item | null | undefined,
): Outcome<Item[]> {
  const readable = rows.map(read).filter((item) => item !== undefined)
  if (rows.length > 0 && readable.length === 0) return unknown('bad_answer')
  const items = new Map<string, Item>()
  for (const item of readable) if (item && !items.has(item.reference)) items.set(item.reference, item)
  return done([...items.values()])
}

/**
 * Cuts a page out of a list that has none, in an order of its own: what comes and goes meanwhile moves nothing past the
 * cursor.
 */
export function cutPage<Item extends { reference: string }>(
  items: readonly Item[],
  cursor: string | undefined,
  perPage: number,
): VendorPage<Item> {
  const left = items
    .filter(({ reference }) => cursor === undefined || reference > cursor)
    .toSorted((one, other) => (one.reference < other.reference ? -1 : 1))
  const page = left.slice(0, perPage)
  const last = page.at(-1)
  return { items: page, ...(last && left.length > perPage && { next: last.reference }) }
}

/**
 * Reads each service of a page, one after another. One that the vendor rejects, or that nobody could fill in, is left out.
 * Whatever else goes wrong is the outcome of the whole page, because a service that a page lacks counts as gone.
 */
export async function readServicePage<Listed>(
  page: VendorPage<Listed>,
  read: (listed: Listed) => Promise<Outcome<VendorService | undefined>>,
): Promise<Outcome<VendorPage<VendorService>>> {
  const items: VendorService[] = []
  for (const listed of page.items) {
    const service = await read(listed)
    if (service.kind === 'unknown' || (service.kind === 'rejected' && service.code === 'not_allowed')) return service
    if (service.kind === 'done' && service.value) items.push(service.value)
  }
  return done({ ...page, items })
}

const keptMs = 600_000

/**
 * Keeps for some minutes what was read of a service for its fields, because its products are asked for next and are in the
 * same answer. Each answer is handed out once.
 */
export function createReadAhead<Answer>() {
  const kept = new Map<string, { answer: Answer; until: number }>()
  return {
    keep(service: string, answer: Answer): void {
      kept.set(service, { answer, until: performance.now() + keptMs })
    },
    take(service: string): Answer | undefined {
      const one = kept.get(service)
      kept.delete(service)
      return one && one.until > performance.now() ? one.answer : undefined
    },
  }
}

/**
 * Makes calls wait so that a whole catalogue can be read without using up what a vendor allows in a minute: orders need some
 * of it, too. The first `burst` calls pass at once, and `perMinute` after that.
 */
export function createPace({ burst, perMinute }: { burst: number; perMinute: number }): () => Promise<void> {
  let [left, asOf] = [burst, performance.now()]
  return async () => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - asOf) * perMinute) / 60_000) - 1
    asOf = now
    if (left < 0) await sleep((-left * 60_000) / perMinute)
  }
}

import type { Currency } from '@olmos/contract/money'
import type { Chance } from '../random.ts'
import type { Shopper } from './seed.ts'

/** What a customer does with the pay page; `again`: is declined, and presses Pay once more. */
export const habits = [
  'in time',
  'declined',
  'at the last moment',
  'late',
  'twice',
  'again',
  'another sum than was charged',
] as const
export type Habit = (typeof habits)[number]

/** What Payme does about an order, in calls that come many times. */
export const paymePlays = [
  'performed',
  'performed at the last moment',
  'performed late',
  'canceled, then another performed',
  'two begun at once',
  'twelve hours long',
  'performed and canceled at once',
  'taken back',
  'taken back after delivery',
  'taken back while the store refunds',
] as const
export type PaymePlay = (typeof paymePlays)[number]

/** What Click does about an order, in calls that come many times. */
export const clickPlays = [
  'completed',
  'completed at the last moment',
  'completed late',
  'not paid, then another completed',
  'two prepared at once',
  'reversed by the store',
] as const
export type ClickPlay = (typeof clickPlays)[number]

/** A provider that tells the store how a payment ended. */
export type TellingName = Exclude<BankName, 'payme' | 'click'>
export const bankNames = ['sandbox', 'yookassa', 'tbank', 'cryptopay', 'payme', 'click'] as const
export type BankName = (typeof bankNames)[number]

/** How an order is paid. */
export interface Way {
  provider: BankName
  method: string
  /** The order's currency, which need not be the one that is charged. */
  currency: Currency
}

const way = (provider: BankName, method: string, currency: Currency): Way => ({ provider, method, currency })

/** Among twenty payments one is made in each of these ways. */
const waysOfTwenty: readonly Way[] = [
  ...Array.from({ length: 6 }, () => way('sandbox', 'sandbox', 'USD')),
  way('sandbox', 'sandbox', 'RUB'),
  way('sandbox', 'sandbox', 'RUB'),
  way('sandbox', 'sandbox_soums', 'USD'),
  way('sandbox', 'sandbox_soums', 'RUB'),
  way('yookassa', 'yookassa_card', 'RUB'),
  way('yookassa', 'yookassa_sbp', 'USD'),
  way('tbank', 'tbank_card', 'USD'),
  way('tbank', 'tbank_sbp', 'RUB'),
  way('cryptopay', 'cryptopay', 'USD'),
  way('payme', 'payme', 'USD'),
  way('payme', 'payme', 'USD'),
  way('payme', 'payme', 'RUB'),
  way('click', 'click', 'USD'),
  way('click', 'click', 'RUB'),
]

const habitDecks: Record<TellingName, readonly Habit[]> = {
  sandbox: [
    ...Array<Habit>(4).fill('in time'),
    'declined',
    ...Array<Habit>(8).fill('at the last moment'),
    ...Array<Habit>(4).fill('late'),
    ...Array<Habit>(2).fill('twice'),
    ...Array<Habit>(4).fill('again'),
    ...Array<Habit>(2).fill('another sum than was charged'),
  ],
  yookassa: ['in time', 'at the last moment', 'late', 'again', 'another sum than was charged'],
  tbank: ['in time', 'at the last moment', 'late', 'again'],
  // It does not tell that an invoice has expired.
  cryptopay: ['in time', 'at the last moment', 'late'],
}

/** What is drawn for one payment before anybody pays. */
export type Lot = {
  way: Way
  /** Whether the balance pays a part of it. */
  hasPart: boolean
} & ({ habit: Habit; isFilling: boolean; play?: undefined } | { habit: 'in time'; isFilling: false; play: AskedPlay })
export type AskedPlay = PaymePlay | ClickPlay

/** Deals the cards of a deck, shuffled again for each round, so that each comes up as often as any other. */
export function dealFrom<T>(deck: readonly T[], chance: Chance): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = shuffled(deck, chance)
    return left.pop() as T
  }
}

/** Draws how each payment is made. Twenty of them are made in every way there is. */
export function drawLots(chance: Chance): () => Lot {
  const nextWay = dealFrom(waysOfTwenty, chance)
  const next = {
    sandbox: dealFrom(habitDecks.sandbox, chance),
    yookassa: dealFrom(habitDecks.yookassa, chance),
    tbank: dealFrom(habitDecks.tbank, chance),
    cryptopay: dealFrom(habitDecks.cryptopay, chance),
  }
  const nextHasPart = dealFrom([true, false, false], chance)
  const nextIsFilling = dealFrom([true, false, false, false], chance)
  const [nextPayme, nextClick] = [dealFrom(paymePlays, chance), dealFrom(clickPlays, chance)]
  return () => {
    const drawn = nextWay()
    const isAsking = drawn.provider === 'payme' || drawn.provider === 'click'
    const isFilling = !isAsking && nextIsFilling()
    // Shoppers have dollars.
    const hasPart = !isFilling && drawn.currency === 'USD' && nextHasPart()
    if (drawn.provider === 'payme')
      return { way: drawn, hasPart, habit: 'in time', isFilling: false, play: nextPayme() }
    if (drawn.provider === 'click')
      return { way: drawn, hasPart, habit: 'in time', isFilling: false, play: nextClick() }
    return { way: drawn, hasPart, habit: next[drawn.provider](), isFilling }
  }
}

export function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  return items
    .map((item) => ({ item, place: chance.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** A payment as the provider knows it. */
export interface Payment {
  /** The provider's id of it. */
  id: string
  key: string
  orderId: string
  /** What comes, in minor units; another sum than was charged if that is the customer's habit. */
  amount: number
  currency: string
  /** What the order costs, in minor units of its own currency. */
  total: number
  way: Way
  hasPart: boolean
  habit: Habit
  /** Whether it fills the customer's balance, and buys nothing. */
  isFilling: boolean
  play?: AskedPlay | undefined
  shopper: Shopper
  /** When the order's time is over is decided by the first webhook, and just before it. */
  isEnding?: Promise<void>
}

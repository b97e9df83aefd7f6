import type { TFunction } from 'i18next'

/** An amount of a game's currency with its thousands set apart, the same in every language. */
export const gameNumber = (amount: number): string => amount.toLocaleString('en-US').replaceAll(',', '\u202F')

/** What one gets: `400 Robux`. Months are words, the currencies of games are names. */
export const gameAmountText = (t: TFunction, amount: number, currency: string): string =>
  `${gameNumber(amount)} ${currency === 'months' ? t('units.months', { count: amount }) : currency}`

import type { Currency } from '../../money/currency.ts'

/** Where the sign of a currency stands in a field. */
export const moneySign: Record<Currency, { prefix: string } | { suffix: string }> = {
  USD: { prefix: '$' },
  RUB: { suffix: ' ₽' },
}

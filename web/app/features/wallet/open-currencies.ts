import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import { walletCurrencies } from '../../money/currency.ts'
import type { BalanceAmounts } from './balance.queries.ts'

/** Lists the currencies that a customer can pay in: what the shop offers, and others of which something is left. */
export const toOpenCurrencies = (
  offered: readonly ChargeCurrency[],
  balances: BalanceAmounts | undefined,
): readonly Currency[] =>
  walletCurrencies.filter((one) => offered.includes(one) || (balances && balances[one] + balances.reserved[one] > 0))

import type { Currency } from '@olmos/contract/money'
import type { walletApi } from '@olmos/contract/wallet'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const balance = caller<typeof walletApi.balance>('GET /balance')

export interface BalanceAmounts extends Record<Currency, number> {
  /** What is reserved besides, for orders that wait for the rest of their payment. */
  reserved: Record<Currency, number>
}

/** Major units of each currency; one that never moved is zero. */
export const useBalance = () =>
  useQuery({
    queryKey: queryKeys.balance.now,
    queryFn: async (): Promise<BalanceAmounts> => {
      const entries = await balance({})
      const entryIn = (currency: string) => entries.find((entry) => entry.currency === currency)
      const [usd, rub] = [entryIn('usd'), entryIn('rub')]
      return {
        USD: usd?.amount ?? 0,
        RUB: rub?.amount ?? 0,
        reserved: { USD: usd?.reserved ?? 0, RUB: rub?.reserved ?? 0 },
      }
    },
    staleTime: 0,
  })

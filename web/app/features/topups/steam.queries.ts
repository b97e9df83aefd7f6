import { useDebouncedValue } from '@mantine/hooks'
import type { Currency } from '@olmos/contract/money'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import type { topupsApi } from '@olmos/contract/topups'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { shownCurrencies } from '../../money/currency.ts'

const calculate = caller<typeof topupsApi.calculateSteam>('POST /steam/calculate')

export interface SteamWish {
  /** Major units of `inputCurrency`; 0 while there is none. */
  amount: number
  inputCurrency: SteamCurrency
}

const toCalculation = ({ amount, inputCurrency }: SteamWish, paidIn: Currency) =>
  queryOptions({
    queryKey: queryKeys.topups.steam(inputCurrency, amount, paidIn),
    queryFn: async () => {
      const userBalanceCurrency = paidIn === 'USD' ? 'usd' : 'rub'
      return (await calculate({ body: { amount, inputCurrency, userBalanceCurrency } })).calculation
    },
  })

/**
 * What an amount costs, asked a moment after the last change. Meanwhile the last sum stays to be seen, unless it was of
 * other shownCurrencies.
 */
export function useSteamCalculation(wish: SteamWish, paidIn: Currency) {
  const wanted = `${wish.inputCurrency} ${wish.amount} ${paidIn}`
  const [settled] = useDebouncedValue(wanted, WEB_LIMITS.steamCalculationDelayMs)
  const isWanted = wish.amount > 0
  const query = useQuery({
    ...toCalculation(wish, paidIn),
    enabled: isWanted && settled === wanted,
    placeholderData: (last, lastQuery) => {
      const [, , inputCurrency, , lastPaidIn] = lastQuery?.queryKey ?? []
      return inputCurrency === wish.inputCurrency && lastPaidIn === paidIn ? last : undefined
    },
  })
  return {
    shown: isWanted ? query.data : undefined,
    /** Whether what is shown is of this very amount. */
    isCurrent: isWanted && query.isSuccess && !query.isPlaceholderData,
    isBusy: isWanted && (query.isFetching || (settled !== wanted && !query.isSuccess) || query.isPlaceholderData),
    error: query.error,
    retry: query.refetch,
  }
}

export interface SteamPrices {
  prices: Record<Currency, number>
  /** USD. */
  commission: number
}

/**
 * The price in both shownCurrencies, not older than a minute. Where the other one can't be had it is 0: not known, and
 * nobody can pay in it.
 */
export function usePrepareSteam() {
  const client = useQueryClient()
  return useMutation({
    retry: false,
    mutationFn: async ({ wish, paidIn }: { wish: SteamWish; paidIn: Currency }): Promise<SteamPrices> => {
      const { amountInUserCurrency, commission } = await client.fetchQuery(toCalculation(wish, paidIn))
      const other = shownCurrencies.find((currency) => currency !== paidIn) ?? paidIn
      const inOther = await client.fetchQuery({ ...toCalculation(wish, other), retry: false }).catch(() => undefined)
      const otherPrice = inOther?.amountInUserCurrency ?? 0
      return {
        commission,
        prices:
          paidIn === 'USD'
            ? { USD: amountInUserCurrency, RUB: otherPrice }
            : { USD: otherPrice, RUB: amountInUserCurrency },
      }
    },
  })
}

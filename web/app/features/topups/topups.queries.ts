import { useDebouncedValue } from '@mantine/hooks'
import type { Currency } from '@olmos/contract/money'
import type { SteamCurrency } from '@olmos/contract/topup-data'
import type { TopupOffer, topupsApi } from '@olmos/contract/topups'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { isTransient } from '../../api/api-error.ts'
import { caller, randomKey } from '../../api/client.ts'
import { type InLanguage, initialIn } from '../../api/initial-data.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { walletCurrencies } from '../../money/currency.ts'
import type { Account } from './account.ts'

const listOffers = caller<typeof topupsApi.offers>('GET /topups/:slug/offers')
const check = caller<typeof topupsApi.check>('POST /topups/:slug/check')
const calculate = caller<typeof topupsApi.calculate>('POST /topups/:slug/calculate')
const activate = caller<typeof topupsApi.activateCode>('POST /freefire/activate-code')

/** Offers that can be sold; at first those the page came with. */
export function useTopupOffers(slug: string, initial: InLanguage<TopupOffer[] | undefined>) {
  const language = useLanguage()
  return useQuery({
    ...initialIn(language, initial),
    queryKey: queryKeys.topups.offers(slug, language),
    queryFn: async () => (await listOffers({ params: { slug } })).offers,
    placeholderData: keepPreviousData,
    select: (offers) => offers.filter((offer) => offer.price_usd > 0 && offer.price_rub > 0),
  })
}

/** Finds the player of an account: the name, blank where nobody tells names. Rejects with PLAYER_NOT_FOUND where there is none. */
export const useFindPlayer = (slug: string) =>
  useMutation({
    mutationFn: async (account: Account) =>
      (await check({ params: { slug }, body: { account: { ...account } } })).player_name ?? '',
    retry: false,
  })

export interface WantedAmount {
  /** Major units of `inputCurrency`; 0 while there is none. */
  amount: number
  inputCurrency: SteamCurrency
}

const toCalculation = (slug: string, { amount, inputCurrency }: WantedAmount, paidIn: Currency) =>
  queryOptions({
    queryKey: queryKeys.topups.amount(slug, inputCurrency, paidIn, amount),
    queryFn: async () => {
      const userBalanceCurrency = paidIn === 'USD' ? 'usd' : 'rub'
      const body = { amount, inputCurrency, userBalanceCurrency } as const
      return (await calculate({ params: { slug }, body })).calculation
    },
  })

/**
 * What an amount costs, asked a moment after the last change. Meanwhile the last sum stays to be seen, unless it was of
 * other currencies.
 */
export function useCalculation(slug: string, wanted: WantedAmount, paidIn: Currency) {
  const present = `${wanted.inputCurrency} ${wanted.amount} ${paidIn}`
  const [settled] = useDebouncedValue(present, WEB_LIMITS.steamCalculationDelayMs)
  const isWanted = wanted.amount > 0
  const options = toCalculation(slug, wanted, paidIn)
  const query = useQuery({
    ...options,
    enabled: isWanted && settled === present,
    placeholderData: (last, lastQuery) =>
      options.queryKey.slice(0, -1).every((part, at) => part === lastQuery?.queryKey[at]) ? last : undefined,
  })
  return {
    shown: isWanted ? query.data : undefined,
    /** Whether what is shown is of this very amount. */
    isCurrent: isWanted && query.isSuccess && !query.isPlaceholderData,
    isBusy: isWanted && (query.isFetching || (settled !== present && !query.isSuccess) || query.isPlaceholderData),
    error: query.error,
    retry: query.refetch,
  }
}

export type Calculation = ReturnType<typeof useCalculation>

/**
 * The price in both currencies of the shop, not older than a minute. Where the other one can't be had it is 0: not known,
 * and nobody can pay in it.
 */
export function usePreparePrices(slug: string) {
  const client = useQueryClient()
  return useMutation({
    retry: false,
    mutationFn: async ({ wanted, paidIn }: { wanted: WantedAmount; paidIn: Currency }) => {
      const { amountInUserCurrency, commission } = await client.fetchQuery(toCalculation(slug, wanted, paidIn))
      const other = walletCurrencies.find((currency) => currency !== paidIn) ?? paidIn
      const inOther = await client
        .fetchQuery({ ...toCalculation(slug, wanted, other), retry: false })
        .catch(() => undefined)
      const otherPrice = inOther?.amountInUserCurrency ?? 0
      const [usd, rub] = paidIn === 'USD' ? [amountInUserCurrency, otherPrice] : [otherPrice, amountInUserCurrency]
      return { usd, rub, commission }
    },
  })
}

/**
 * Spends a code on a player. After a lost answer the next attempt reuses the key. It stays in memory, unlike the keys of
 * purchases: codes must not be stored in the browser.
 */
export function useActivateCode() {
  const client = useQueryClient()
  const attempt = useRef<{ of: string; key: string }>(undefined)
  return useMutation({
    mutationFn: (body: { playerID: string; code: string }) => {
      const of = `${body.playerID}:${body.code}`
      if (attempt.current?.of !== of) attempt.current = { of, key: randomKey() }
      return activate({ body }, { idempotencyKey: attempt.current.key, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs })
    },
    // It is an order of its own.
    onSuccess: () => client.removeQueries({ queryKey: queryKeys.orders.all }),
    onSettled: (_answer, error) => {
      if (!error || !isTransient(error)) attempt.current = undefined
    },
  })
}

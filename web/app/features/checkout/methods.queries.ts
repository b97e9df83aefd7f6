import type { ChargeCurrency, Currency } from '@olmos/contract/money'
import type { OfferedMethod, paymentsApi } from '@olmos/contract/payments'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { isConvertedCurrency, lowerCode } from '../../money/currency.ts'
import { lastingStorage } from '../../ui/browser-storage.ts'
import { announceStored, useStored } from '../../ui/stored.ts'
import { pickMethod } from './method.rules.ts'

const list = caller<typeof paymentsApi.methods>('GET /payment/methods')

const storageKey = 'payment-method'

/** The ways to pay other than the balance, in the order of the shop, as the checkout offers them. */
export interface OfferedMethods {
  /** Whether nobody knows them yet. Once they could not be read, none is offered, and the store chooses. */
  isPending: boolean
  /** Whether it is known that there is none: only the balance pays. */
  isNone: boolean
  methods: readonly OfferedMethod[]
  /** The one that is marked. */
  chosen: OfferedMethod | undefined
  /** Whether the charges are those of the amount before. */
  isStale: boolean
  /** Marks another one, also for the next purchase. */
  choose(name: string): void
}

interface WhatToPay {
  currency: Currency
  /** In major units. */
  amount: number
  /** What the customer sees prices in. */
  shown: ChargeCurrency
}

/** Reads how an amount can be paid, and what each method charges for it. */
export function usePaymentMethods({ currency, amount, shown }: WhatToPay): OfferedMethods {
  const language = useLanguage()
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: queryKeys.paymentMethods.for(currency, amount, language),
    queryFn: ({ signal }) =>
      list(
        { query: { currency: lowerCode(currency), amount: amount.toFixed(2) } },
        { signal, timeoutMs: WEB_LIMITS.paymentMethodsTimeoutMs },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // The rest of the checkout waits for it, and does without.
    retry: 1,
  })
  const methods = data?.data ?? []
  const remembered = useStored(() => lastingStorage.getItem(storageKey) ?? undefined, undefined)
  return {
    isPending,
    isNone: data?.data.length === 0,
    methods,
    chosen: pickMethod(methods, { remembered, charged: isConvertedCurrency(shown) ? [shown, currency] : [currency] }),
    isStale: isPlaceholderData,
    choose: (name) => {
      lastingStorage.setItem(storageKey, name)
      announceStored()
    },
  }
}

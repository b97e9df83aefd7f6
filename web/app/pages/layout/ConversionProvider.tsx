import type { ratesApi } from '@olmos/contract/rates'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { ConversionContext, toConversion } from '../../money/conversion.ts'
import { isConvertedCurrency, useChosenCurrency, useRenderedPrices } from '../../money/currency.ts'

const list = caller<typeof ratesApi.shown>('GET /currency-rates')

/**
 * Has the prices of the page shown in what the customer chose. The rates are those that the page was rendered with; while it
 * stays open and shows converted prices they are read again.
 */
export function ConversionProvider({ children }: { children: ReactNode }) {
  const chosen = useChosenCurrency()
  const { currencies: offered, rates: rendered } = useRenderedPrices()
  const isKnown = rendered.length > 0
  const { data: rates = rendered } = useQuery({
    queryKey: queryKeys.rates,
    queryFn: async ({ signal }) => (await list({}, { signal })).data,
    ...(isKnown && { initialData: [...rendered] }),
    enabled: isConvertedCurrency(chosen) || !isKnown,
    refetchInterval: WEB_LIMITS.ratesRefreshMs,
  })
  const conversion = useMemo(() => toConversion(chosen, rates, offered), [chosen, rates, offered])
  return <ConversionContext value={conversion}>{children}</ConversionContext>
}

import type { fillingsApi } from '@olmos/contract/fillings'
import type { Currency } from '@olmos/contract/money'
import { useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

const terms = caller<typeof fillingsApi.terms>('GET /balance/filling-terms')

export interface FillingTerms {
  isOn: boolean
  bounds: Record<Currency, { least: number; most: number }>
}

/** Whether customers may fill their balance here, and with how much at a time, in major units. */
export const useFillingTerms = () =>
  useQuery({
    queryKey: queryKeys.balance.terms,
    queryFn: async ({ signal }): Promise<FillingTerms> => {
      const { is_on, bounds } = await terms({}, { signal })
      const boundsIn = (currency: Currency) => {
        const { least = 0, most = 0 } = bounds.find((one) => one.currency === currency) ?? {}
        return { least, most }
      }
      return { isOn: is_on, bounds: { USD: boundsIn('USD'), RUB: boundsIn('RUB') } }
    },
  })

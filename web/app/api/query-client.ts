import { QueryClient } from '@tanstack/react-query'
import { WEB_LIMITS } from '../limits.ts'
import { isTransient } from './api-error.ts'

/**
 * How long a query stays that nothing shows. A page that the server has rendered is over, and a timer would hold all of it in
 * memory until then.
 */
export const cacheTime = (ms: number): number => (typeof document === 'undefined' ? Number.POSITIVE_INFINITY : ms)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Without a network a call fails at once, so that the page can say so, instead of waiting in silence.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => isTransient(error) && failures < WEB_LIMITS.queryRetries,
        retryDelay: WEB_LIMITS.queryRetryDelayMs,
        staleTime: WEB_LIMITS.freshMs,
        gcTime: cacheTime(WEB_LIMITS.cacheMs),
        refetchOnWindowFocus: false,
      },
      mutations: {
        networkMode: 'always',
        retry: (failures, error) => isTransient(error) && failures < WEB_LIMITS.mutationRetries,
        retryDelay: WEB_LIMITS.queryRetryDelayMs,
      },
    },
  })

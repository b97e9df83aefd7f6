import { QueryClient } from '@tanstack/react-query'
import { WEB_LIMITS } from '../limits.ts'
import { ApiError } from './api-error.ts'

/** Trouble that may pass is tried again; a refusal stays one. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      // Without a network a call fails at once and can be told of, instead of waiting in silence.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => mayPass(error) && failures < WEB_LIMITS.queryRetries,
        retryDelay: WEB_LIMITS.queryRetryDelayMs,
        staleTime: WEB_LIMITS.freshMs,
        gcTime: WEB_LIMITS.cacheMs,
        refetchOnWindowFocus: false,
      },
      mutations: {
        networkMode: 'always',
        retry: (failures, error) => mayPass(error) && failures < WEB_LIMITS.mutationRetries,
        retryDelay: WEB_LIMITS.queryRetryDelayMs,
      },
    },
  })

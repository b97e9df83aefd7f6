import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { followEvents } from '../../api/event-stream.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'

/**
 * Follows the events of the customer's orders while one of them is awaited, and refetches on each. `isHeard` says whether
 * the stream is open; while it is not, polling has to do.
 */
export function useOrderEvents(isAwaited: boolean, isHeard: RefObject<boolean>): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isAwaited) return
    const end = new AbortController()
    const refetchOrders = () => client.invalidateQueries({ queryKey: queryKeys.orders.all })
    follow(end.signal, {
      // Changes from before the stream opened are not sent.
      onOpen: () => {
        isHeard.current = true
        refetchOrders()
      },
      onEvent: refetchOrders,
      onLost: () => {
        isHeard.current = false
      },
    })
    return () => end.abort()
  }, [client, isAwaited, isHeard])
}

interface Listener {
  onOpen(): void
  onEvent(): void
  onLost(): void
}

/** Follows the stream until it is aborted; reconnects with backoff, but not after a refusal. */
async function follow(signal: AbortSignal, { onOpen, onEvent, onLost }: Listener): Promise<void> {
  let pauseMs: number = WEB_LIMITS.queryRetryDelayMs
  while (!signal.aborted) {
    try {
      await followEvents('/orders/events', {
        signal,
        onEvent,
        onOpen: () => {
          pauseMs = WEB_LIMITS.queryRetryDelayMs
          onOpen()
        },
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A refusal is final; polling continues.
      if (error.status >= 400 && error.status < 500) return
    } finally {
      onLost()
    }
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, WEB_LIMITS.ordersCacheMs)
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

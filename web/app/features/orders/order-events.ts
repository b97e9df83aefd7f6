import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { followEvents } from '../../api/event-stream.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { WEB_LIMITS } from '../../limits.ts'

/**
 * While something of one's orders is awaited, hears of every change at once and has them read anew. Notes in `isHeard`
 * whether it does: as long as it doesn't, asking again and again must do.
 */
export function useOrderEvents(isAwaited: boolean, isHeard: RefObject<boolean>): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isAwaited) return
    const end = new AbortController()
    const refetchOrders = () => client.invalidateQueries({ queryKey: queryKeys.orders.all })
    follow(end.signal, {
      // What changed before the store listened is not told any more.
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

/** Goes on listening until it is ended; after a loss, when that makes sense, with growing pauses. */
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
      // Refused is refused: the orders are asked for now and then anyway.
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

import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import { WEB_LIMITS } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { followEvents } from './event-stream.ts'

interface Live {
  /** The stream of the store; undefined while nothing is awaited. */
  path: `/${string}` | undefined
  /** What the link of a visitor ends with, for a stream that is opened by it. */
  linkToken?: string
  /** What is read again on each event, and when the stream opens: changes from before are not sent. */
  queryKey: QueryKey
  /** Says whether the stream is open; while it is not, polling has to do. */
  isHeard: RefObject<boolean>
}

/** Follows a stream of the store, and reads again what it is about. `queryKey` has to be the same from render to render. */
export function useLiveRefetch({ path, linkToken, queryKey, isHeard }: Live): void {
  const client = useQueryClient()
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    if (!path) return
    const end = new AbortController()
    const refetch = () => client.invalidateQueries({ queryKey: JSON.parse(key) })
    follow(path, linkToken, end.signal, {
      onOpen: () => {
        isHeard.current = true
        refetch()
      },
      onEvent: refetch,
      onLost: () => {
        isHeard.current = false
      },
    })
    return () => end.abort()
  }, [client, path, linkToken, key, isHeard])
}

interface Listener {
  onOpen(): void
  onEvent(): void
  onLost(): void
}

/** Follows a stream until it is aborted; reconnects with backoff, but not after a refusal. */
async function follow(
  path: `/${string}`,
  linkToken: string | undefined,
  signal: AbortSignal,
  { onOpen, onEvent, onLost }: Listener,
): Promise<void> {
  let pauseMs: number = WEB_LIMITS.queryRetryDelayMs
  while (!signal.aborted) {
    try {
      await followEvents(path, {
        signal,
        linkToken,
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

import { afterEach, expect, test, vi } from 'vitest'
import { WEB_LIMITS } from '../limits.ts'
import { cacheTime, createQueryClient } from './query-client.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** How many timers a page leaves behind that has shown two queries, one with a time of its own. */
function countTimers(): number {
  vi.useFakeTimers()
  const client = createQueryClient()
  client.setQueryData(['products'], [])
  client.getQueryCache().build(client, { queryKey: ['orders'], gcTime: cacheTime(WEB_LIMITS.ordersCacheMs) })
  return vi.getTimerCount()
}

test('a page that the server rendered leaves no timer, which would hold it in memory', () => {
  expect(countTimers()).toBe(0)
})

test('in a browser a query that nothing shows is let go after a while', () => {
  vi.stubGlobal('document', {})
  expect(cacheTime(WEB_LIMITS.cacheMs)).toBe(WEB_LIMITS.cacheMs)
})

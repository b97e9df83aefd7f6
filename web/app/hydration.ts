import { useDeferredValue, useEffect } from 'react'

/** False on the server and until its page is hydrated; what is rendered later finds it true. */
export const isHydrated = (): boolean =>
  typeof document !== 'undefined' && 'hydrated' in document.documentElement.dataset

/**
 * False on the server and while its page is being hydrated. What it changes then is rendered piece by piece: a store of the
 * browser's would render it at once, and the page would answer nothing meanwhile.
 */
export const useIsHydrated = (): boolean => useDeferredValue(true, isHydrated())

/**
 * Marks the page as hydrated once everything that waits for it is rendered too: presses before that do nothing, which
 * styles and tests need to know.
 */
export function HydrationMark() {
  const isReady = useIsHydrated()
  useEffect(() => {
    if (isReady) document.documentElement.dataset.hydrated = ''
  }, [isReady])
  return null
}

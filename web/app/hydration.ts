import { useDeferredValue, useEffect } from 'react'

const isMarked = () => typeof document !== 'undefined' && 'hydrated' in document.documentElement.dataset

/**
 * False on the server and while its page is being hydrated. What it changes then is rendered piece by piece: a store of the
 * browser's would render it at once, and the page would answer nothing meanwhile.
 */
export const useIsHydrated = (): boolean => useDeferredValue(true, isMarked())

/**
 * Marks the page as hydrated once everything that waits for it is rendered too: presses before that do nothing, which
 * styles and tests need to know.
 */
export function HydrationMark() {
  const isHydrated = useIsHydrated()
  useEffect(() => {
    if (isHydrated) document.documentElement.dataset.hydrated = ''
  }, [isHydrated])
  return null
}

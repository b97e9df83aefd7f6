import { useSyncExternalStore } from 'react'
import { useIsHydrated } from '../hydration.ts'

/** Fired on the window when this page has changed something it keeps in the browser; other tabs hear of it by `storage`. */
const changeEvent = 'storedchange'

/** Has every `useStored` of the page read again. */
export const announceStored = (): boolean => window.dispatchEvent(new Event(changeEvent))

function subscribe(onChange: () => void): () => void {
  window.addEventListener(changeEvent, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(changeEvent, onChange)
    window.removeEventListener('storage', onChange)
  }
}

/**
 * Something read from the browser's storage, read again whenever it changes here or in another tab. The server, and
 * hydration with it, has `onServer` instead. `read` returns a primitive: React compares what it returns by identity.
 */
export function useStored<Value extends string | boolean | undefined>(read: () => Value, onServer: Value): Value {
  const isHydrated = useIsHydrated()
  // React renders all that differs from the server's in one piece, and the page answers nothing meanwhile: so it finds no difference.
  const stored = useSyncExternalStore(subscribe, read, typeof document === 'undefined' ? () => onServer : read)
  return isHydrated ? stored : onServer
}

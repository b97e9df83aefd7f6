import { useSyncExternalStore } from 'react'
import { sessionEvent, storedToken } from '../api/token.ts'

function subscribe(onChange: () => void): () => void {
  window.addEventListener(sessionEvent, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(sessionEvent, onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** Whether somebody is logged in; undefined on the server and until the page has come alive. */
export const useIsLoggedIn = (): boolean | undefined =>
  useSyncExternalStore(
    subscribe,
    () => storedToken() !== null,
    () => undefined,
  )

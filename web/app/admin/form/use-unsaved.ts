import { useLayoutEffect } from 'react'

/** Tells whom a form stands in whether something was typed that would be lost. */
export function useUnsaved(isUnsaved: boolean, onUnsaved: (isUnsaved: boolean) => void): void {
  // Before it is painted: who sees an emptied field and presses Escape is not asked about it.
  useLayoutEffect(() => onUnsaved(isUnsaved), [onUnsaved, isUnsaved])
}

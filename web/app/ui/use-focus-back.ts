import { useEffect } from 'react'

/** Gives the focus back to where it was, once what lies over the page is closed, or taken away while it is open. */
export function useFocusBack(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [isOpen])
}

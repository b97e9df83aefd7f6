import { useEffect, useRef } from 'react'

/** Tells the store up to which message somebody has read: not what came while another tab was in front. */
export function useSeen(upTo: number | undefined, mark: (upTo: number) => Promise<unknown>): void {
  const marking = useRef(mark)
  useEffect(() => {
    marking.current = mark
  })
  useEffect(() => {
    if (upTo === undefined) return
    const look = () => {
      // What could not be marked stays unread, and is marked with the next message or visit.
      if (document.visibilityState === 'visible') marking.current(upTo).catch(() => {})
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [upTo])
}

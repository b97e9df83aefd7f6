import { type TouchEvent, useRef } from 'react'

const farPixels = 48

/** Turns the pages of a grid by a finger that is drawn across it. */
export function useSwipe(page: number, pages: number, turnTo: (page: number) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0]
      start.current = touch && { x: touch.clientX, y: touch.clientY }
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0]
      if (!start.current || !touch) return
      const across = touch.clientX - start.current.x
      const isAcross = Math.abs(across) > farPixels && Math.abs(across) > 2 * Math.abs(touch.clientY - start.current.y)
      const next = across < 0 ? page + 1 : page - 1
      if (isAcross && next >= 1 && next <= pages) turnTo(next)
    },
  }
}

import { IconX } from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { WEB_LIMITS } from '../limits.ts'
import { IconPress } from './Press.tsx'
import classes from './Toasts.module.css'
import { type Toast, toastEvent } from './toast.ts'

interface Posted extends Toast {
  id: number
  postedAtMs: number
}

/** What is said so shortly before a page is left is about the next one: why one is asked to log in. */
const lastWordsMs = 300

interface ToastsProps {
  closeLabel: string
  /** Tells pages apart. */
  page: string
  /** Whether another page was asked for and is not there yet. */
  isLeaving: boolean
}

/** Removes toasts when the page they were about is left. */
function useDeathOnNavigation({ page, isLeaving }: ToastsProps, removeOlder: (thanMs: number) => void): void {
  const leftAtMs = useRef<number>(undefined)
  useEffect(() => {
    if (isLeaving) leftAtMs.current = performance.now()
  }, [isLeaving])

  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when another page is there
  useEffect(() => {
    removeOlder((leftAtMs.current ?? performance.now()) - lastWordsMs)
    leftAtMs.current = undefined
  }, [page])
}

/**
 * Shows toasts at the bottom of the page, three at once; further ones queue. It is part of every page, so that it can
 * report a lost connection, and so that screen readers know the region before it announces anything.
 */
export function Toasts(props: ToastsProps) {
  const [toasts, setToasts] = useState<Posted[]>([])
  const remove = (id: number) => setToasts((posted) => posted.filter((toast) => toast.id !== id))

  useDeathOnNavigation(props, (thanMs) =>
    // A list as it is where none is too old: a new one would have React render once more right after a page's start.
    setToasts((posted) =>
      posted.some(({ postedAtMs }) => postedAtMs < thanMs)
        ? posted.filter(({ postedAtMs }) => postedAtMs >= thanMs)
        : posted,
    ),
  )

  useEffect(() => {
    let count = 0
    const post = (event: Event) => {
      const toast = { ...(event as CustomEvent<Toast>).detail, id: ++count, postedAtMs: performance.now() }
      // A repeated message replaces the earlier toast and starts its time over.
      setToasts((posted) => [...posted.filter(({ message }) => message !== toast.message), toast])
    }
    window.addEventListener(toastEvent, post)
    return () => window.removeEventListener(toastEvent, post)
  }, [])

  return (
    <div className={`${classes.board} no-print`} aria-live="polite">
      {toasts.slice(0, WEB_LIMITS.toastsAtOnce).map((toast) => (
        <Shown key={toast.id} toast={toast} closeLabel={props.closeLabel} onGone={() => remove(toast.id)} />
      ))}
    </div>
  )
}

interface ShownProps {
  toast: Toast
  closeLabel: string
  onGone(): void
}

function Shown({ toast, closeLabel, onGone }: ShownProps) {
  const { tone, message, lastsMs, action } = toast
  const [isPaused, setPaused] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: its time starts when the pointer or focus leaves it, not on every render
  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(onGone, lastsMs)
    return () => clearTimeout(timer)
  }, [isPaused, lastsMs])

  // A toast that comes up under a pointer that rests is not looked at, and may cover what is pressed next.
  const pauseMoved = ({ movementX, movementY }: MouseEvent) => {
    if (movementX !== 0 || movementY !== 0) setPaused(true)
  }
  const pause = { onMouseMove: pauseMoved, onFocus: () => setPaused(true) }
  const resume = { onMouseLeave: () => setPaused(false), onBlur: () => setPaused(false) }
  return (
    <div className={classes.toast} data-tone={tone} role={tone === 'good' ? 'status' : 'alert'} {...pause} {...resume}>
      <span className={classes.message}>{message}</span>
      {action && (
        <button
          type="button"
          className={classes.action}
          onClick={() => {
            action.onPress()
            onGone()
          }}
        >
          {action.label}
        </button>
      )}
      <IconPress aria-label={closeLabel} onClick={onGone}>
        <IconX size={22} aria-hidden />
      </IconPress>
    </div>
  )
}

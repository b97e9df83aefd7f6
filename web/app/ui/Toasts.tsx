import { CloseButton, UnstyledButton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { WEB_LIMITS } from '../limits.ts'
import classes from './Toasts.module.css'
import { type Toast, toastEvent } from './toast.ts'

interface Posted extends Toast {
  id: number
}

/**
 * What the shop has to say, at the bottom of the page: three at once, the others wait. It is part of every page, so
 * that it can say that the connection is gone, and so that screen readers know it before it speaks.
 */
export function Toasts({ closeLabel }: { closeLabel: string }) {
  const [toasts, setToasts] = useState<Posted[]>([])
  const remove = (id: number) => setToasts((posted) => posted.filter((toast) => toast.id !== id))

  useEffect(() => {
    let count = 0
    const post = (event: Event) => {
      const toast = { ...(event as CustomEvent<Toast>).detail, id: ++count }
      // The same said again is said once, from now on.
      setToasts((posted) => [...posted.filter(({ message }) => message !== toast.message), toast])
    }
    window.addEventListener(toastEvent, post)
    return () => window.removeEventListener(toastEvent, post)
  }, [])

  return (
    <div className={`${classes.board} no-print`} aria-live="polite">
      {toasts.slice(0, WEB_LIMITS.toastsAtOnce).map((toast) => (
        <Shown key={toast.id} toast={toast} closeLabel={closeLabel} onGone={() => remove(toast.id)} />
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
  const [isHeld, setHeld] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: its time starts when it is let go, not with every picture
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(onGone, lastsMs)
    return () => clearTimeout(timer)
  }, [isHeld, lastsMs])

  const hold = { onMouseEnter: () => setHeld(true), onFocus: () => setHeld(true) }
  const letGo = { onMouseLeave: () => setHeld(false), onBlur: () => setHeld(false) }
  return (
    <div className={classes.toast} data-tone={tone} role={tone === 'good' ? 'status' : 'alert'} {...hold} {...letGo}>
      <span className={classes.message}>{message}</span>
      {action && (
        <UnstyledButton
          className={classes.action}
          onClick={() => {
            action.onPress()
            onGone()
          }}
        >
          {action.label}
        </UnstyledButton>
      )}
      <CloseButton size="lg" aria-label={closeLabel} onClick={onGone} />
    </div>
  )
}

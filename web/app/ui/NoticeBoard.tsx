import { CloseButton, UnstyledButton } from '@mantine/core'
import { LIMITS } from '@olmos/contract/limits'
import { useEffect, useState } from 'react'
import classes from './NoticeBoard.module.css'
import { type Notice, noticeEvent } from './notice.ts'

interface Posted extends Notice {
  id: number
}

/**
 * What the shop has to say, at the bottom of the page: three at once, the others wait. It is part of every page, so
 * that it can say that the connection is gone, and so that screen readers know it before it speaks.
 */
export function NoticeBoard({ closeLabel }: { closeLabel: string }) {
  const [notices, setNotices] = useState<Posted[]>([])
  const remove = (id: number) => setNotices((posted) => posted.filter((notice) => notice.id !== id))

  useEffect(() => {
    let count = 0
    const post = (event: Event) => {
      const notice = { ...(event as CustomEvent<Notice>).detail, id: ++count }
      // The same said again is said once, from now on.
      setNotices((posted) => [...posted.filter(({ message }) => message !== notice.message), notice])
    }
    window.addEventListener(noticeEvent, post)
    return () => window.removeEventListener(noticeEvent, post)
  }, [])

  return (
    <div className={`${classes.board} no-print`} aria-live="polite">
      {notices.slice(0, LIMITS.noticesAtOnce).map((notice) => (
        <Shown key={notice.id} notice={notice} closeLabel={closeLabel} onGone={() => remove(notice.id)} />
      ))}
    </div>
  )
}

interface ShownProps {
  notice: Notice
  closeLabel: string
  onGone(): void
}

function Shown({ notice, closeLabel, onGone }: ShownProps) {
  const { tone, message, lastsMs, action } = notice
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
    <div className={classes.notice} data-tone={tone} role={tone === 'good' ? 'status' : 'alert'} {...hold} {...letGo}>
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

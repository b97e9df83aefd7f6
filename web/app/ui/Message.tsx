import type { ReactNode } from 'react'
import { Drawing } from './Drawing.tsx'
import classes from './Message.module.css'

interface MessageProps {
  title: string
  /** Heading level; 1 where the message is all there is on the page. */
  level?: 1 | 2 | 3
  text?: string | undefined
  /** Something small below the text. */
  note?: ReactNode
  /** Which of the shop's drawings stands above it; none in a section of a page. */
  drawing?: 'empty' | 'failed' | 'waiting'
  /** Links and buttons that lead on. */
  children?: ReactNode
}

/** Fills a page or a section that has nothing else to show: says why, and where to go. */
export function Message({
  title,
  level = 1,
  text,
  note,
  drawing = level === 1 ? 'failed' : undefined,
  children,
}: MessageProps) {
  const Title = `h${level}` as const
  return (
    <div className={classes.message} data-level={level}>
      {drawing && <Drawing of={drawing} isLarge={level < 3} />}
      <Title className={classes.title}>{title}</Title>
      {text && <p className={classes.text}>{text}</p>}
      {note}
      <div className={classes.ways}>{children}</div>
    </div>
  )
}

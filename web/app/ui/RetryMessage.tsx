import type { ReactNode } from 'react'
import { Message } from './Message.tsx'
import { Press } from './Press.tsx'

interface Retry {
  label: string
  isBusy: boolean
  onClick(): void
}

interface RetryMessageProps {
  title: string
  /** Heading level. */
  level: 2 | 3
  text?: string | undefined
  note?: ReactNode
  retry: Retry
}

/** Stands in for a section that could not be loaded. Apart from `QueryFailed`, which the first page does without. */
export const RetryMessage = ({ title, level, text, note, retry }: RetryMessageProps) => (
  <Message level={level} title={title} text={text} note={note} drawing="failed">
    <Press onClick={retry.onClick} isBusy={retry.isBusy}>
      {retry.label}
    </Press>
  </Message>
)

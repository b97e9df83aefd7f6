import type { ReactNode } from 'react'
import { Message } from './Message.tsx'

interface EmptyStateProps {
  title: string
  text: string
  /** The button that leads on. */
  children?: ReactNode
}

/** Stands in for an empty list of a page. */
export const EmptyState = ({ title, text, children }: EmptyStateProps) => (
  <Message level={2} title={title} text={text} drawing="empty">
    {children}
  </Message>
)

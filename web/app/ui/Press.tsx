import type { ButtonHTMLAttributes, ReactNode } from 'react'
import classes from './Press.module.css'

type Look = 'accent' | 'plain'

/** The classes of a link that looks as a button does. */
export const pressClass = (look: Look = 'accent'): string =>
  look === 'accent' ? `cut press ${classes.press}` : `${classes.press} ${classes.plain}`

interface PressProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: Look
  /** What it does is under way: it can't be pressed again, and keeps its width. */
  isBusy?: boolean
}

/** A button on pages that do without Mantine. */
export function Press({ look = 'accent', isBusy = false, disabled, className = '', children, ...props }: PressProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || isBusy}
      data-loading={isBusy || undefined}
      className={`${pressClass(look)} ${className}`}
    >
      <span>{children}</span>
    </button>
  )
}

interface IconPressProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  'aria-label': string
  /** With an edge, or without one. */
  hasEdge?: boolean
  children: ReactNode
}

/** A button that is an icon, with its words for those who do not see it. */
export const IconPress = ({ hasEdge = false, className = '', ...props }: IconPressProps) => (
  <button type="button" {...props} className={`${classes.icon} ${hasEdge ? classes.plain : ''} ${className}`} />
)

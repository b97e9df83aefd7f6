import type { ReactNode } from 'react'
import classes from './ThumbFrame.module.css'

interface ThumbFrameProps {
  /** What it is about: on the left, or first. */
  children: ReactNode
  /** What it comes to: beside that, or below it. */
  panel: ReactNode
  /** The button, or what stands in for it: below the panel, on a phone always at the thumb. */
  bar?: ReactNode
  /** What stands below the first, or below the button. */
  notes?: ReactNode
}

/** Arranges a page that ends in one button. */
export const ThumbFrame = ({ children, panel, bar, notes }: ThumbFrameProps) => (
  <div className={classes.frame}>
    {children}
    <div className={classes.aside}>
      {panel}
      {bar && <div data-thumb-bar>{bar}</div>}
    </div>
    {notes}
  </div>
)

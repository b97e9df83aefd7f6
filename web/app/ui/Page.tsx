import type { ReactNode } from 'react'
import classes from './Page.module.css'

interface PageProps {
  title?: string
  /** Has the foot of the page begin below the screen, so that it does not move when what is loaded is there. */
  isTall?: boolean
  children: ReactNode
}

export const Page = ({ title, isTall = false, children }: PageProps) => (
  <div className={classes.page} data-tall={isTall || undefined}>
    {title && <h1 className={classes.title}>{title}</h1>}
    {children}
  </div>
)

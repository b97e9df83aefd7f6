import type { ReactNode } from 'react'
import classes from './Page.module.css'

interface PageProps {
  title?: string
  /** Pages that are just a form are narrow. */
  width?: 'wide' | 'narrow'
  children: ReactNode
}

export function Page({ title, width = 'wide', children }: PageProps) {
  return (
    <div className={classes.page} data-wide={width === 'wide' || undefined}>
      {title && <h1 className={classes.title}>{title}</h1>}
      {children}
    </div>
  )
}

import type { ReactNode } from 'react'
import classes from './Page.module.css'

interface PageProps {
  title?: string
  children: ReactNode
}

export const Page = ({ title, children }: PageProps) => (
  <div className={classes.page}>
    {title && <h1 className={classes.title}>{title}</h1>}
    {children}
  </div>
)

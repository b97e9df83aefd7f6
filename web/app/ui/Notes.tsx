import type { ReactNode } from 'react'
import classes from './Notes.module.css'

/** Short answers to what one wants to know before paying. */
export const Notes = ({ children }: { children: ReactNode }) => <dl className={classes.notes}>{children}</dl>

interface NoteProps {
  icon: ReactNode
  title: string
  children: ReactNode
}

export const Note = ({ icon, title, children }: NoteProps) => (
  <div className={classes.note}>
    <dt>
      {icon}
      {title}
    </dt>
    <dd>{children}</dd>
  </div>
)

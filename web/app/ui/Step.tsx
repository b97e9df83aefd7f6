import { type ReactNode, useId } from 'react'
import classes from './Step.module.css'

/** One of the few things to do before paying. */
export function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.step}>
      <h2 className={classes.title}>
        <span className={classes.number} aria-hidden>
          {number}
        </span>
        <span id={id}>{title}</span>
      </h2>
      {children}
    </section>
  )
}

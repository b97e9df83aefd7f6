import type { ReactNode } from 'react'
import classes from './Faq.module.css'

export interface FaqEntry {
  question: string
  answer: ReactNode
}

/** Questions that open to their answers, also on a page that has not come alive. */
export function Faq({ entries }: { entries: FaqEntry[] }) {
  return (
    <div>
      {entries.map(({ question, answer }) => (
        <details key={question} className={classes.entry}>
          <summary className={classes.question}>{question}</summary>
          <div className={classes.answer}>{answer}</div>
        </details>
      ))}
    </div>
  )
}

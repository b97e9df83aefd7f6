import type { ReactNode } from 'react'
import classes from './Faq.module.css'

export interface FaqEntry {
  question: string
  answer: ReactNode
}

/** Lists questions that open to their answers, also before hydration. */
export function Faq({ entries }: { entries: readonly FaqEntry[] }) {
  return (
    <div>
      {entries.map(({ question, answer }) => (
        <details key={question} className={classes.entry}>
          <summary className={`unfold ${classes.question}`}>{question}</summary>
          <div className={classes.answer}>{answer}</div>
        </details>
      ))}
    </div>
  )
}

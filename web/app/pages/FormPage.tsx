import type { CSSProperties, ReactNode } from 'react'
import { gemFacets, gemTable } from '../features/catalogue/gem-facets.ts'
import classes from './FormPage.module.css'

interface FormPageProps {
  title: string
  /** What the form is for, or what comes after it. */
  text?: ReactNode
  children: ReactNode
}

/** A page that is one form: below its title on a phone, beside it where there is room. */
export const FormPage = ({ title, text, children }: FormPageProps) => (
  <div className={classes.page}>
    <div className={classes.words}>
      <h1>{title}</h1>
      {text && <p className={classes.text}>{text}</p>}
      <svg viewBox="-101 -101 202 202" aria-hidden className={classes.gem}>
        {gemFacets.map(({ path, tone }) => (
          <path key={path} d={path} style={{ '--tone': tone.toFixed(2) } as CSSProperties} />
        ))}
        <path d={gemTable} />
      </svg>
    </div>
    <div className={classes.form}>{children}</div>
  </div>
)

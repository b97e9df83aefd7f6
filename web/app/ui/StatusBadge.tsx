import classes from './StatusBadge.module.css'

/** A state in words; the colour only helps. */
export function StatusBadge({ tone, text }: { tone: 'good' | 'wait' | 'bad' | 'calm'; text: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {text}
    </span>
  )
}

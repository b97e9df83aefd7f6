import { IconMinus, IconPlus, IconTrash } from '@tabler/icons-react'
import { IconPress } from './Press.tsx'
import classes from './Quantity.module.css'

interface QuantityProps {
  value: number
  min: number
  max: number
  onChange(value: number): void
  /** With a label for removing, minus removes the thing when one is left. */
  labels: { group: string; less: string; more: string; remove?: string }
}

/** A number with a button to either side. */
export function Quantity({ value, min, max, onChange, labels }: QuantityProps) {
  const removal = value <= 1 ? labels.remove : undefined
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would add a margin and an edge of its own
    <div role="group" aria-label={labels.group} className={classes.quantity}>
      <IconPress
        hasEdge
        aria-label={removal ?? labels.less}
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        {removal ? <IconTrash size={16} aria-hidden /> : <IconMinus size={16} aria-hidden />}
      </IconPress>
      <span className={classes.value} aria-live="polite">
        {value}
      </span>
      <IconPress hasEdge aria-label={labels.more} disabled={value >= max} onClick={() => onChange(value + 1)}>
        <IconPlus size={16} aria-hidden />
      </IconPress>
    </div>
  )
}

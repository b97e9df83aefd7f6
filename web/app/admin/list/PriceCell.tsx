import { parsePrice } from '@olmos/contract/import-lines'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { Currency } from '@olmos/contract/money'
import { type FocusEvent, useState } from 'react'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { isLeftToDialog } from '../../ui/covered.ts'

interface PriceCellProps {
  /** Major units. */
  value: number
  currency: Currency
  label: string
  onChange(value: number): void
}

/** Edits a price in its cell: leaving the field or Enter saves it, Escape restores it. */
export function PriceCell({ value, currency, label, onChange }: PriceCellProps) {
  const [typed, setTyped] = useState<string | number>(value.toFixed(2))
  const [shown, setShown] = useState(value)
  // The price was changed by another admin, or ours was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value.toFixed(2))
  }

  const leave = (event: FocusEvent) => {
    if (isLeftToDialog(event)) return
    // The field's value is a text where a number would lose a trailing zero.
    const price = parsePrice(String(typed))
    if (price === undefined) setTyped(value.toFixed(2))
    else if (price !== toMinor(value)) onChange(toMajor(price))
  }

  return (
    <MoneyInput
      aria-label={label}
      size="sm"
      w={120}
      ml="auto"
      currency={currency}
      max={LIMITS.amountMax / 100}
      styles={{ input: { textAlign: 'end' } }}
      value={typed}
      onChange={setTyped}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(value.toFixed(2))
      }}
    />
  )
}

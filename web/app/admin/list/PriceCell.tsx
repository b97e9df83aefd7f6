import { parsePrice } from '@olmos/contract/import-lines'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { type FocusEvent, useState } from 'react'
import type { Currency } from '../../money/currency.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { isLeftToDialog } from '../../ui/covered.ts'

interface PriceCellProps {
  /** Major units. */
  value: number
  currency: Currency
  label: string
  onChange(value: number): void
}

/** A price that is changed where it stands: kept when the field is left or Enter is pressed, put back by Escape. */
export function PriceCell({ value, currency, label, onChange }: PriceCellProps) {
  const [typed, setTyped] = useState<string | number>(value.toFixed(2))
  const [shown, setShown] = useState(value)
  // Another admin's price, or ours that was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value.toFixed(2))
  }

  const leave = (event: FocusEvent) => {
    if (isLeftToDialog(event)) return
    // The field holds a text where a number would lose a zero at its end.
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

import { NumberInput } from '@mantine/core'
import { numberRanges } from '@olmos/contract/shop-numbers'
import { useState } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { isLeftToDialog } from '../../ui/covered.ts'

const { least, most } = numberRanges.low_stock_codes

/** What a field for a number of codes takes. */
export const lowStockField = {
  min: least,
  max: most,
  allowNegative: false,
  hideControls: true,
  thousandSeparator: ' ',
} as const

interface LowStockCellProps {
  /** Null for the shop's number. */
  value: number | null
  label: string
  onChange(value: number | null): void
}

/** Edits with how many codes a package runs out: leaving the field or Enter saves it, Escape restores it. */
export function LowStockCell({ value, label, onChange }: LowStockCellProps) {
  const { t } = useTranslation()
  const isAllowed = useMay()('prices.write')
  const [typed, setTyped] = useState<string | number>(value ?? '')
  const [shown, setShown] = useState(value)
  // It was changed by another admin, or ours was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value ?? '')
  }
  if (!isAllowed) return value === null ? t('admin.products.lowStockOfShop') : gameNumber(value)
  const wanted = typed === '' ? null : Number(typed)
  return (
    <NumberInput
      aria-label={label}
      size="sm"
      w={96}
      ml="auto"
      placeholder={t('admin.products.lowStockOfShop')}
      styles={{ input: { textAlign: 'end' } }}
      allowDecimal={false}
      {...lowStockField}
      value={typed}
      onChange={setTyped}
      onBlur={(event) => {
        if (!isLeftToDialog(event) && wanted !== value) onChange(wanted)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(value ?? '')
      }}
    />
  )
}

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { isLeftToDialog } from '../../ui/covered.ts'

interface NameCellProps {
  value: string
  label: string
  maxLength: number
  onChange(value: string): void
}

/** Edits a text in its cell: leaving the field or Enter saves it, Escape restores it. */
export function NameCell({ value, label, maxLength, onChange }: NameCellProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The text was changed by another admin, or ours was refused.
  if (shown !== value) {
    setShown(value)
    setTyped(value)
  }
  return (
    <TextInput
      aria-label={label}
      size="sm"
      w={{ base: 130, md: 220 }}
      ml="auto"
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={(event) => {
        if (!isLeftToDialog(event) && typed.trim() !== value) onChange(typed.trim())
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') setTyped(value)
      }}
    />
  )
}

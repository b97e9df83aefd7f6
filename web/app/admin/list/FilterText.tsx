import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import type { ListView } from './use-list-view.ts'

interface FilterTextProps extends Pick<TextInputProps, 'type' | 'inputMode' | 'maxLength'> {
  view: ListView
  /** The parameter of the address it sets. */
  name: string
  label: string
  /** Reads what was typed as the store wants it; undefined when it can't be read. */
  read?(typed: string): string | undefined
  /** Says then what is wanted. */
  fault?: string
}

/** Narrows a list to what is typed, once Enter is pressed or the field is left. */
export function FilterText({ view, name, label, read = (text) => text, fault, ...input }: FilterTextProps) {
  const given = view.filter(name)
  const [typed, setTyped] = useState(given)
  const [followed, setFollowed] = useState(given)
  // The address was changed by something else: a saved view, or the button that clears it.
  if (followed !== given) {
    setFollowed(given)
    setTyped(given)
  }
  const value = typed.trim() === '' ? '' : read(typed.trim())
  const apply = () => {
    if (value !== undefined && value !== given) view.change({ [name]: value })
  }
  return (
    <TextInput
      {...input}
      label={label}
      error={value === undefined && fault}
      autoComplete="off"
      flex={{ base: '1 1 max(40%, 8.5rem)', sm: '0 1 200px' }}
      wrapperProps={{ 'data-set': given !== '' }}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
      }}
    />
  )
}

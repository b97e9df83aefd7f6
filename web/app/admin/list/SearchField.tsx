import { TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ADMIN_LIMITS } from '../limits.ts'
import { useIsShown } from './use-is-shown.ts'
import type { ListView } from './use-list-view.ts'
import { isCovered } from './use-row-keys.ts'

interface SearchFieldProps {
  label: string
  view: ListView
  /** The arrow down was pressed: to what was found. */
  onDown(): void
}

/** The address follows what is typed, at the latest when the field is left; typing doesn't wait for it. The key / leads here. */
export function SearchField({ label, view, onDown }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(view.search)
  const [followed, setFollowed] = useState(view.search)
  const isShown = useIsShown()
  const look = useDebouncedCallback((search: string) => {
    if (isShown()) view.change({ search: search.trim() })
  }, ADMIN_LIMITS.typingPauseMs)
  useHotkeys([
    [
      '/',
      (event) => {
        if (isCovered()) return
        event.preventDefault()
        field.current?.focus()
      },
      { preventDefault: false },
    ],
  ])

  // The address was changed by something else: a link, or the button that clears it.
  if (followed !== view.search) {
    setFollowed(view.search)
    if (text.trim() !== view.search) setText(view.search)
  }

  return (
    <TextInput
      ref={field}
      type="search"
      label={label}
      leftSection={<IconSearch size={18} />}
      autoComplete="off"
      maxLength={100}
      flex={{ base: '1 1 100%', sm: '1 1 320px' }}
      maw={{ sm: 440 }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        look(event.currentTarget.value)
      }}
      onBlur={look.flush}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        onDown()
      }}
    />
  )
}

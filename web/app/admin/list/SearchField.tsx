import { TextInput } from '@mantine/core'
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { ListView } from './use-list-view.ts'

const typingPauseMs = 300

/** The address follows what is typed; typing doesn't wait for it. The key / leads here. */
export function SearchField({ label, view }: { label: string; view: ListView }) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(view.search)
  const [followed, setFollowed] = useState(view.search)
  const look = useDebouncedCallback((search: string) => view.change({ search: search.trim() }), typingPauseMs)
  useHotkeys([['/', () => field.current?.focus()]])

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
      flex={{ base: '1 1 100%', sm: '0 1 320px' }}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        look(event.currentTarget.value)
      }}
    />
  )
}

import { useState } from 'react'
import { useSearchParams } from 'react-router'

const searchParam = 'search'

/** The text that is searched for, and its change. The address follows what is typed; typing can't wait for it. */
export function useSearchText() {
  const [params, setParams] = useSearchParams()
  const [text, setText] = useState(params.get(searchParam) ?? '')
  const search = (wanted: string) => {
    setText(wanted)
    setParams(
      (current) => {
        const changed = new URLSearchParams(current)
        if (wanted === '') changed.delete(searchParam)
        else changed.set(searchParam, wanted)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  }
  return [text, search] as const
}

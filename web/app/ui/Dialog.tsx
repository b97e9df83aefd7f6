import { Suspense, useState } from 'react'
import type { DialogProps } from './DialogPanel.tsx'
import { late } from './late.ts'
import { useFocusBack } from './use-focus-back.ts'

const LatePanel = late(async () => (await import('./DialogPanel.tsx')).DialogPanel)

/** Has dialogs open at once. Where they can't be fetched now, they are when the first one opens. */
export const fetchDialogs = (): void => void LatePanel.fetch().catch(() => {})

/** Asks something over the page. Focus moves in, and back to where it was. */
export function Dialog(props: DialogProps) {
  const { isOpen } = props
  useFocusBack(isOpen)
  // It stays once it was open, so that it fades out.
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!isOpen && !wasOpen) return null
  return (
    <Suspense>
      <LatePanel {...props} />
    </Suspense>
  )
}

import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'

/** Says why the store refused, or what is wrong with fields that have no place for it; nothing while all is well. */
export function RefusalAlert({ text }: { text: ReactNode }) {
  if (!text) return null
  return (
    <Alert color="red" role="alert">
      {text}
    </Alert>
  )
}

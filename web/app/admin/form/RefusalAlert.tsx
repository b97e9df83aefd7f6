import { Alert } from '@mantine/core'

/** Says why the store refused; nothing while it has not. */
export function RefusalAlert({ text }: { text: string | undefined }) {
  if (!text) return null
  return (
    <Alert color="red" role="alert">
      {text}
    </Alert>
  )
}

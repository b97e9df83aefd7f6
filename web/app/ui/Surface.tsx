import { Paper, type PaperProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A card of the page. */
export function Surface({ children, ...props }: PaperProps & { children: ReactNode }) {
  return (
    <Paper p="md" radius="lg" bg="var(--olmos-surface)" bd="1px solid var(--olmos-line)" {...props}>
      {children}
    </Paper>
  )
}

import { Paper, type PaperProps, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SurfaceProps extends PaperProps {
  title?: string | undefined
  children: ReactNode
}

/** A card of the page. */
export function Surface({ title, children, ...props }: SurfaceProps) {
  return (
    <Paper p="md" radius="lg" bg="var(--olmos-surface)" bd="1px solid var(--olmos-line)" {...props}>
      {title && (
        <Title order={2} size="h3" mb="sm">
          {title}
        </Title>
      )}
      {children}
    </Paper>
  )
}

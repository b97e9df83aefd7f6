import { Box, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PageProps {
  title?: string
  /** Pages that are just a form are narrow. */
  width?: 'wide' | 'narrow'
  children: ReactNode
}

export function Page({ title, width = 'wide', children }: PageProps) {
  return (
    <Box maw={width === 'wide' ? 'var(--olmos-content)' : 460} mx="auto" px="md" py="xl">
      {title && (
        <Title order={1} mb="lg">
          {title}
        </Title>
      )}
      {children}
    </Box>
  )
}

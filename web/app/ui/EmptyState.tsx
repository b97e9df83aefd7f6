import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Drawing } from './Drawing.tsx'

interface EmptyStateProps {
  title: string
  text: string
  /** The button that leads on. */
  children?: ReactNode
}

/** Stands in for an empty list of a page. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <Drawing of="empty" />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={420}>
        {text}
      </Text>
      <Group justify="center" mt="xs">
        {children}
      </Group>
    </Stack>
  )
}

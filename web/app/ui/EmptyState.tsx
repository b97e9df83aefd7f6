import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: Icon
  title: string
  text: string
  /** The button that leads on. */
  children?: ReactNode
}

/** Stands in for an empty list of a page. */
export function EmptyState({ icon: ListIcon, title, text, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={48} px="md" ta="center">
      <Box c="dimmed" lh={0}>
        <ListIcon size={48} stroke={1.2} aria-hidden />
      </Box>
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

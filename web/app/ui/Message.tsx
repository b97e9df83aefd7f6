import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface MessageProps {
  title: string
  text?: string
  /** The ways on. */
  children?: ReactNode
}

/** A page or a place that has nothing else to show: what is the matter, and where to go. */
export function Message({ title, text, children }: MessageProps) {
  return (
    <Stack align="center" gap="md" py={64} px="md" ta="center">
      <Title order={1} size="h2">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={480}>
          {text}
        </Text>
      )}
      <Group justify="center">{children}</Group>
    </Stack>
  )
}

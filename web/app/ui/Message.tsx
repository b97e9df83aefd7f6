import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface MessageProps {
  title: string
  /** Heading level; 1 where the message is all there is on the page. */
  level?: 1 | 2 | 3
  text?: string
  /** Links and buttons that lead on. */
  children?: ReactNode
}

/** Fills a page or a section that has nothing else to show: says why, and where to go. */
export function Message({ title, level = 1, text, children }: MessageProps) {
  return (
    <Stack align="center" gap="md" py={64} px="md" ta="center">
      <Title order={level} size="h2" textWrap="balance">
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

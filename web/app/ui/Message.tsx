import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Drawing } from './Drawing.tsx'

interface MessageProps {
  title: string
  /** Heading level; 1 where the message is all there is on the page. */
  level?: 1 | 2 | 3
  text?: string
  /** Which of the shop's drawings stands above it; none in a section of a page. */
  drawing?: 'empty' | 'failed' | 'waiting'
  /** Links and buttons that lead on. */
  children?: ReactNode
}

/** Fills a page or a section that has nothing else to show: says why, and where to go. */
export function Message({
  title,
  level = 1,
  text,
  drawing = level === 1 ? 'failed' : undefined,
  children,
}: MessageProps) {
  return (
    <Stack align="center" gap="md" py={48} px="md" ta="center">
      {drawing && <Drawing of={drawing} />}
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

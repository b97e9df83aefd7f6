import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface SectionProps {
  id: string
  title: string
  hint: string
  children: ReactNode
}

/** A part of a tab under a heading of its own, with a sentence about it. */
export const Section = ({ id, title, hint, children }: SectionProps) => (
  <section aria-labelledby={id}>
    <Title order={2} size="h3" id={id} mb={4}>
      {title}
    </Title>
    <Text size="sm" c="dimmed" mb="md">
      {hint}
    </Text>
    {children}
  </section>
)

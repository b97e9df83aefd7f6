import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

interface PagerProps {
  /** From 1. */
  page: number
  pages: number
  onChange(page: number): void
  labels: { previous: string; next: string; position: string }
}

/** Arrows between the pages of a grid. Nothing to see where there is one page. */
export function Pager({ page, pages, onChange, labels }: PagerProps) {
  if (pages < 2) return null
  return (
    <Group justify="center" gap="sm" mt="md">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={labels.previous}
        disabled={page === 1}
        onClick={() => onChange(page - 1)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <Text size="sm" aria-live="polite">
        {labels.position}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={labels.next}
        disabled={page === pages}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  )
}

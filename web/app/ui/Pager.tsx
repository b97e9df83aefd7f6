import { ActionIcon, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import classes from './Pager.module.css'

interface PagerProps {
  /** From 1. */
  page: number
  pages: number
  onChange(page: number): void
  labels: {
    previous: string
    next: string
    position: string
    /** Names the dots; without it there are none. */
    page?(page: number): string
  }
}

/** More dots than these don't fit beside the arrows of a phone. */
const mostDots = 7

/** Arrows, and dots where they fit, between the pages of a grid. Nothing to see where there is one page. */
export function Pager({ page, pages, onChange, labels }: PagerProps) {
  if (pages < 2) return null
  const dotName = pages <= mostDots ? labels.page : undefined
  return (
    <Group justify="center" gap="sm" mt="md">
      <ActionIcon
        variant="default"
        size={40}
        aria-label={labels.previous}
        disabled={page === 1}
        onClick={() => onChange(page - 1)}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      {dotName && (
        <Group gap={0} wrap="nowrap">
          {Array.from({ length: pages }, (_, index) => index + 1).map((one) => (
            <UnstyledButton
              key={one}
              className={classes.dot}
              aria-label={dotName(one)}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => onChange(one)}
            />
          ))}
          <VisuallyHidden aria-live="polite">{labels.position}</VisuallyHidden>
        </Group>
      )}
      {!dotName && (
        <Text size="sm" aria-live="polite">
          {labels.position}
        </Text>
      )}
      <ActionIcon
        variant="default"
        size={40}
        aria-label={labels.next}
        disabled={page === pages}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
    </Group>
  )
}

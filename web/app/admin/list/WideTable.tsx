import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface WideTableProps {
  /** The width in pixels below which it is scrolled sideways. */
  minWidth: number
  /** What screen readers call the part that is scrolled. */
  label: string
  children: ReactNode
}

/** Lets a table that is wider than the screen be scrolled, by the keyboard too. */
export const WideTable = ({ minWidth, label, children }: WideTableProps) => (
  <Table.ScrollContainer
    minWidth={minWidth}
    scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}
  >
    {children}
  </Table.ScrollContainer>
)

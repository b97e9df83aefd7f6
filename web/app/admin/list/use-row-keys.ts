import { useHotkeys } from '@mantine/hooks'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'

type Key = string | number

interface RowKeysOptions<Row> {
  rows: readonly Row[]
  toKey(row: Row): Key
  /** Without it, the first link of a row is followed; where there is none, its first field is entered. */
  onOpen: ((row: Row) => void) | undefined
}

export interface RowKeys {
  body: React.RefObject<HTMLTableSectionElement | null>
  /** Goes to the row that was left last. */
  enter(): void
  toProps(index: number): Pick<React.ComponentProps<'tr'>, 'tabIndex' | 'onFocus' | 'onKeyDown' | 'onClick'>
}

/**
 * The arrows walk the rows of a list, Enter opens one. A single row is on the way of Tab: the one that was left last. Keys
 * that are pressed in a field or on a button of a row stay theirs. A finger opens a row wherever it taps it.
 */
export function useRowKeys<Row>({ rows, toKey, onOpen }: RowKeysOptions<Row>): RowKeys {
  const body = useRef<HTMLTableSectionElement>(null)
  const [left, setLeft] = useState<Key>()
  const current = Math.max(
    0,
    rows.findIndex((row) => toKey(row) === left),
  )
  const moveFocusTo = (index: number) => body.current?.rows[Math.max(0, Math.min(index, rows.length - 1))]?.focus()

  // From the page itself, where nothing has the focus and nothing lies over it.
  const enterByArrow = (event: globalThis.KeyboardEvent) => {
    if (document.activeElement !== document.body || rows.length === 0 || isCovered()) return
    event.preventDefault()
    moveFocusTo(current)
  }
  const own = { preventDefault: false }
  useHotkeys([
    ['ArrowDown', enterByArrow, own],
    ['ArrowUp', enterByArrow, own],
  ])

  const open = (index: number, element: HTMLTableRowElement) => {
    const row = rows[index]
    if (row && onOpen) return onOpen(row)
    const link = element.querySelector('a')
    if (link) link.click()
    else element.querySelector<HTMLElement>('input, button')?.focus()
  }

  const press = (index: number, event: KeyboardEvent<HTMLTableRowElement>) => {
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
    if (event.target !== event.currentTarget || hasModifier) return
    const ways: Record<string, () => void> = {
      ArrowDown: () => moveFocusTo(index + 1),
      ArrowUp: () => moveFocusTo(index - 1),
      Home: () => moveFocusTo(0),
      End: () => moveFocusTo(rows.length - 1),
      Enter: () => open(index, event.currentTarget),
    }
    const way = ways[event.key]
    if (!way) return
    event.preventDefault()
    way()
  }

  const tap = (index: number, { nativeEvent, target, currentTarget }: MouseEvent<HTMLTableRowElement>) => {
    const isFinger = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
    // A dialog that the row has opened tells it of its taps, too.
    const isOwn = target instanceof Element && currentTarget.contains(target) && !target.closest(pressable)
    const row = rows[index]
    if (isFinger && isOwn && row) onOpen?.(row)
  }

  return {
    body,
    enter: () => moveFocusTo(current),
    toProps: (index) => ({
      tabIndex: index === current ? 0 : -1,
      onFocus: () => setLeft(rows[index] && toKey(rows[index])),
      onKeyDown: (event) => press(index, event),
      onClick: (event) => tap(index, event),
    }),
  }
}

const pressable = 'a, button, input, select, textarea, label'

/** By a form, a dialog or a menu. */
export const isCovered = (): boolean => document.querySelector('[role="dialog"], [role="menu"]') !== null

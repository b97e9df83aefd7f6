import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ListView } from './use-list-view.ts'

interface MoreFiltersProps {
  view: ListView
  /** What the children narrow the list by. */
  names: readonly string[]
  children: ReactNode
}

/** Filters that are asked for more rarely: they wait behind a button until one is used. */
export function MoreFilters({ view, names, children }: MoreFiltersProps) {
  const { t } = useTranslation()
  const [isOpened, setOpened] = useState(false)
  const isUsed = names.some((name) => view.filter(name) !== '')
  const isOpen = isOpened || isUsed
  return (
    <>
      {!isUsed && (
        <Button variant="default" aria-expanded={isOpen} onClick={() => setOpened(!isOpened)}>
          {t(isOpen ? 'admin.orderFilters.less' : 'admin.orderFilters.more')}
        </Button>
      )}
      {isOpen && children}
    </>
  )
}

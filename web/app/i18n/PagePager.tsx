import { useTranslation } from 'react-i18next'
import { Pager } from '../ui/Pager.tsx'

interface PagePagerProps {
  /** From 1. */
  page: number
  pages: number
  onChange(page: number): void
  /** Adds a dot for each page, where they fit. */
  hasDots?: boolean
}

/** The pager with its labels in the visitor's language. */
export function PagePager({ page, pages, onChange, hasDots = false }: PagePagerProps) {
  const { t } = useTranslation()
  return (
    <Pager
      page={page}
      pages={pages}
      onChange={onChange}
      labels={{
        previous: t('pager.previous'),
        next: t('pager.next'),
        position: t('pager.position', { page, pages }),
        ...(hasDots && { page: (one: number) => t('pager.page', { page: one }) }),
      }}
    />
  )
}

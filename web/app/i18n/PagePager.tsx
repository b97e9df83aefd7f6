import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { IconPress } from '../ui/Press.tsx'
import classes from './PagePager.module.css'
import { useTranslation } from './use-translation.ts'

interface PagePagerProps {
  /** From 1. */
  page: number
  pages: number
  onChange(page: number): void
  /** Shows a dot for each page instead of their numbers; of many pages, for those around this one. */
  hasDots?: boolean
}

/** More dots than these don't fit beside the arrows of a phone. */
const mostDots = 7

/** Arrows between the pages of a grid, and where one is. Nothing to see where there is one page. */
export function PagePager({ page, pages, onChange, hasDots = false }: PagePagerProps) {
  const { t } = useTranslation()
  if (pages < 2) return null
  const position = t('pager.position', { page, pages })
  const first = Math.max(1, Math.min(page - Math.floor(mostDots / 2), pages - mostDots + 1))
  const dots = hasDots ? Array.from({ length: Math.min(pages, mostDots) }, (_, at) => first + at) : []
  return (
    <div className={classes.pager}>
      <IconPress hasEdge aria-label={t('pager.previous')} disabled={page === 1} onClick={() => onChange(page - 1)}>
        <IconChevronLeft size={18} aria-hidden />
      </IconPress>
      {hasDots && (
        <div className={classes.dots}>
          {dots.map((one) => (
            <button
              key={one}
              type="button"
              className={classes.dot}
              aria-label={t('pager.page', { page: one })}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => onChange(one)}
            />
          ))}
        </div>
      )}
      <span className={hasDots ? 'visually-hidden' : classes.position} aria-live="polite">
        {position}
      </span>
      <IconPress hasEdge aria-label={t('pager.next')} disabled={page === pages} onClick={() => onChange(page + 1)}>
        <IconChevronRight size={18} aria-hidden />
      </IconPress>
    </div>
  )
}

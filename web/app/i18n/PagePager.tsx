import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { IconPress } from '../ui/Press.tsx'
import classes from './PagePager.module.css'
import { useTranslation } from './use-translation.ts'

interface PagePagerProps {
  /** From 1. */
  page: number
  pages: number
  onChange(page: number): void
  /** Adds a dot for each page, where they fit. */
  hasDots?: boolean
}

/** More dots than these don't fit beside the arrows of a phone. */
const mostDots = 7

/** Arrows, and dots where they fit, between the pages of a grid. Nothing to see where there is one page. */
export function PagePager({ page, pages, onChange, hasDots = false }: PagePagerProps) {
  const { t } = useTranslation()
  if (pages < 2) return null
  const isDotted = hasDots && pages <= mostDots
  const position = t('pager.position', { page, pages })
  return (
    <div className={classes.pager}>
      <IconPress hasEdge aria-label={t('pager.previous')} disabled={page === 1} onClick={() => onChange(page - 1)}>
        <IconChevronLeft size={18} aria-hidden />
      </IconPress>
      {isDotted && (
        <div className={classes.dots}>
          {Array.from({ length: pages }, (_, index) => index + 1).map((one) => (
            <button
              key={one}
              type="button"
              className={classes.dot}
              aria-label={t('pager.page', { page: one })}
              aria-current={one === page ? 'page' : undefined}
              onClick={() => onChange(one)}
            />
          ))}
          <span className="visually-hidden" aria-live="polite">
            {position}
          </span>
        </div>
      )}
      {!isDotted && (
        <span className={classes.position} aria-live="polite">
          {position}
        </span>
      )}
      <IconPress hasEdge aria-label={t('pager.next')} disabled={page === pages} onClick={() => onChange(page + 1)}>
        <IconChevronRight size={18} aria-hidden />
      </IconPress>
    </div>
  )
}

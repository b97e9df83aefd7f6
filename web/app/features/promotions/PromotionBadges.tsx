import type { Promotion, promotionsApi } from '@olmos/contract/promotions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { caller } from '../../api/client.ts'
import { type InLanguage, initialIn } from '../../api/initial-data.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { badgeStyle } from './badge-style.ts'
import classes from './PromotionBadges.module.css'

const active = caller<typeof promotionsApi.active>('GET /promotions/active')

/** The promotions that run now. They decorate: a failure is only logged. */
export function PromotionBadges({ initial }: { initial: InLanguage<Promotion[] | undefined> }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { data = [], error } = useQuery({
    queryKey: queryKeys.promotions(language),
    queryFn: () => active({}),
    ...initialIn(language, initial),
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification wants this failure logged and nothing else
    if (error) console.error('Failed to load promotions:', error)
  }, [error])
  // What few press is fetched by the press.
  const take = async (code: string) =>
    (await import('./take-coupon.ts')).takeCoupon(code, t('home.couponTaken', { code }))
  if (data.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what does not fit is scrolled to, with the keyboard too
    <ul className={classes.badges} aria-label={t('home.promotions')} tabIndex={0}>
      {data.map((promotion) => (
        <li key={promotion.id} className={classes.badge} style={badgeStyle(promotion.background_color)}>
          {promotion.text}
          {promotion.coupon && (
            <button
              type="button"
              className={classes.coupon}
              aria-label={t('home.takeCoupon', { code: promotion.coupon })}
              onClick={() => take(promotion.coupon ?? '')}
            >
              {promotion.coupon}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

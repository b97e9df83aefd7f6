import type { Rating } from '@olmos/contract/catalogue'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Stars } from '../../ui/Stars.tsx'

/** How buyers rate a product, as short as it can be said: ★ 4.8 (27). */
export function RatingText({ rating: { average, count } }: { rating: Rating }) {
  const { t } = useTranslation()
  const shown = average.toFixed(1).replace('.', useLanguage() === 'en' ? '.' : ',')
  return (
    <span>
      <span aria-hidden>
        <Stars filled={1} total={1} /> {shown} ({gameNumber(count)})
      </span>
      <span className="visually-hidden">{t('reviews.summary', { average: shown, count })}</span>
    </span>
  )
}

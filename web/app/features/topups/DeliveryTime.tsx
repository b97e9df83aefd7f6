import { BUSINESS } from '@olmos/contract/business'
import type { DeliveryMinutes } from '@olmos/contract/catalogue'
import type { TFunction } from 'i18next'
import { useTranslation } from '../../i18n/use-translation.ts'
import { withinText } from '../../i18n/within-text.ts'
import classes from './DeliveryTime.module.css'

interface DeliveryTimeProps {
  /** Within how many minutes it is promised; none for codes, most of which are there at once. */
  promised?: number
  /** Null where too little was delivered to say. */
  measured: DeliveryMinutes | null
}

/** Within how long a delivery is promised, and how long those of the last days really took. */
export function DeliveryTime({ promised, measured }: DeliveryTimeProps) {
  const { t } = useTranslation()
  const took = measured && {
    count: BUSINESS.measuredDays,
    half: spanText(t, measured.p50),
    most: spanText(t, measured.p95),
  }
  return (
    <>
      {promised !== undefined && withinText(t, promised)}
      {took && (
        <span className={classes.took}>
          {promised === undefined ? t('product.tookCodes', took) : t('product.took', took)}
        </span>
      )}
    </>
  )
}

const minutesInWords = 120

/** Says a span of time shortly, in minutes or in hours. */
export const spanText = (t: TFunction, minutes: number): string =>
  minutes < minutesInWords
    ? t('product.spanMinutes', { minutes })
    : t('product.spanHours', { hours: Math.ceil(minutes / 60) })

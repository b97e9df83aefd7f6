import type { DeliveryMinutes } from '@olmos/contract/catalogue'
import { useTranslation } from '../../i18n/use-translation.ts'
import { toTook, withinText } from '../../i18n/within-text.ts'
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
  const took = measured && toTook(t, measured)
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

import type { Product } from '@olmos/contract/catalogue'
import { IconArrowBackUp, IconClock, IconCreditCard } from '@tabler/icons-react'
import { useRouteLoaderData } from 'react-router'
import { PayMarks } from '../../features/checkout/PayMarks.tsx'
import { DeliveryTime } from '../../features/topups/DeliveryTime.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ServerValues } from '../../server-context.ts'
import { Note, Notes } from '../../ui/Notes.tsx'

interface BuyNotesProps {
  product: Product
  /** Within how many minutes a top-up is promised; none for codes. */
  promised?: number
  /** Whether that is said elsewhere on the page already; how long it really took is not. */
  isTimingNoted?: boolean
}

/** When it arrives, what if it does not, and by what one can pay: beside the button, or below the steps. */
export function BuyNotes({ product, promised, isTimingNoted = false }: BuyNotesProps) {
  const { t } = useTranslation()
  const marks = useRouteLoaderData<Pick<ServerValues, 'paymentMarks'>>('root')?.paymentMarks ?? []
  const isTopup = product.kind === 'topup'
  return (
    <Notes>
      {(!isTimingNoted || product.delivery_minutes) && (
        <Note icon={<IconClock size={20} aria-hidden />} title={t('topups.steam.timing')}>
          {!isTopup && t('checkout.codesAtOnce')}
          <DeliveryTime {...(promised !== undefined && { promised })} measured={product.delivery_minutes} />
        </Note>
      )}
      <Note
        icon={<IconArrowBackUp size={20} aria-hidden />}
        title={t(isTopup ? 'checkout.notArrived' : 'checkout.badCode')}
      >
        {t(isTopup ? 'checkout.notArrivedText' : 'checkout.badCodeText')}
      </Note>
      {marks.length > 0 && (
        <Note icon={<IconCreditCard size={20} aria-hidden />} title={t('checkout.accepted')}>
          <PayMarks marks={marks} />
        </Note>
      )}
    </Notes>
  )
}

import { CloseButton, TextInput } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'
import type { ListView } from '../list/use-list-view.ts'

/** The package that a list is narrowed to. */
export function OfferFilter({ view }: { view: ListView }) {
  const { t } = useTranslation()
  const offer = view.filter('offerId')
  if (!offer) return null
  return (
    <TextInput
      label={t('admin.codes.offer')}
      value={offer}
      readOnly
      w={110}
      rightSection={
        <CloseButton aria-label={t('admin.codes.allOffers')} onClick={() => view.change({ offerId: '' })} />
      }
    />
  )
}

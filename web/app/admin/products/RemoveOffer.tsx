import { Skeleton, Text } from '@mantine/core'
import type { EditedOffer } from '@olmos/contract/offers'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { removeOffer, useOffer } from './products.queries.ts'

interface RemoveOfferProps {
  offer: EditedOffer
  name: string
  onClose(): void
}

/** Deletes an offer. Says what goes with it and what stays, as counted now; asks for the name of one that has codes. */
export function RemoveOffer({ offer, name, onClose }: RemoveOfferProps) {
  const { t } = useTranslation()
  const query = useOffer(offer.id)
  const { data, error } = query
  const remove = useAdminAction({
    noun: 'offers',
    send: removeOffer,
    done: t('admin.remove.done'),
    onDone: onClose,
  })
  const belongings = data?.belongings
  const lines = belongings
    ? [
        belongings.unsold_codes > 0 && t('admin.denominations.takesCodes', { count: belongings.unsold_codes }),
        belongings.cart_items > 0 && t('admin.products.takesCarts', { count: belongings.cart_items }),
      ]
    : []
  return (
    <ConfirmDialog
      title={t('admin.products.removeTitle', { name })}
      takesAlong={lines.filter((line) => line !== false)}
      {...(belongings && belongings.unsold_codes > 0 && { name })}
      isBusy={remove.isPending}
      isRefused={!belongings}
      refusal={remove.refusal}
      onConfirm={() => remove.mutate(offer)}
      onClose={onClose}
    >
      {error && <ListFailed query={query} />}
      {!data && !error && <Skeleton h={72} />}
      {belongings && <Text>{t('admin.denominations.removeText')}</Text>}
      {belongings && belongings.sold_codes > 0 && (
        <Text>{t('admin.products.keepsReceipts', { count: belongings.sold_codes })}</Text>
      )}
    </ConfirmDialog>
  )
}

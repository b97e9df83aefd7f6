import { Skeleton, Text } from '@mantine/core'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { ListFailed } from '../list/ListFailed.tsx'
import { useOffer } from './products.queries.ts'

interface RemoveOfferProps {
  id: number
  name: string
  /** What becomes of codes that were sold. */
  kept: 'admin.products.keepsReceipts' | 'admin.denominations.keepsCodes'
  /** Deletes it, unless it has more unsold codes than were seen here. */
  send(seenCodes: number): Promise<unknown>
  onClose(): void
}

/**
 * Deletes an offer or a denomination. Says what goes with it and what stays, as counted now, and counts again when the
 * store has refused; asks for the name of one that has codes.
 */
export function RemoveOffer({ id, name, kept, send, onClose }: RemoveOfferProps) {
  const { t } = useTranslation()
  const query = useOffer(id)
  const { data, error } = query
  const belongings = data?.belongings
  const lines = belongings
    ? [
        belongings.unsold_codes > 0 && t('admin.denominations.takesCodes', { count: belongings.unsold_codes }),
        belongings.cart_items > 0 && t('admin.products.takesCarts', { count: belongings.cart_items }),
      ]
    : []
  return (
    <ActionDialog
      title={t('admin.products.removeTitle', { name })}
      takesAlong={lines.filter((line) => line !== false)}
      {...(belongings && belongings.unsold_codes > 0 && { name })}
      isRefused={!belongings}
      noun="offers"
      send={() => send(belongings?.unsold_codes ?? 0)}
      onClose={onClose}
    >
      {error && <ListFailed query={query} />}
      {!data && !error && <Skeleton h={72} />}
      {belongings && <Text>{t('admin.denominations.removeText')}</Text>}
      {belongings && belongings.sold_codes > 0 && <Text>{t(kept, { count: belongings.sold_codes })}</Text>}
    </ActionDialog>
  )
}

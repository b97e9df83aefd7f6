import { Text } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { removeRegion } from './regions.queries.ts'

/** Deletes a region. Asks for its name where links to products go with it; explains why a region with offers has to stay. */
export function RemoveRegion({ region, onClose }: { region: Region; onClose(): void }) {
  const { t } = useTranslation()
  const remove = useAdminAction({ noun: 'regions', send: removeRegion, done: t('admin.remove.done'), onDone: onClose })
  const hasOffers = region.offers_count > 0
  return (
    <ConfirmDialog
      title={t('admin.regions.removeTitle', { name: region.name })}
      takesAlong={
        !hasOffers && region.products_count > 0 ? [t('admin.regions.takesLinks', { count: region.products_count })] : []
      }
      {...(!hasOffers && region.products_count > 0 && { name: region.name })}
      isBusy={remove.isPending}
      refusal={remove.refusal}
      isRefused={hasOffers}
      onConfirm={() => remove.mutate(region)}
      onClose={onClose}
    >
      <Text>
        {hasOffers
          ? t('admin.regions.hasPackages', { count: region.offers_count })
          : t('admin.regions.removeText', { name: region.name })}
      </Text>
    </ConfirmDialog>
  )
}

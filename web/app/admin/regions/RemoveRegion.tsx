import { Text } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { useTranslation } from 'react-i18next'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { noun, removeRegion } from './regions.queries.ts'

/** Says what goes with a region, and asks for its name if something does; one that has packages stays, and is told so before it is tried. */
export function RemoveRegion({ region, onClose }: { region: Region; onClose(): void }) {
  const { t } = useTranslation()
  const remove = useAdminAction({ noun, send: removeRegion, done: t('admin.remove.done'), onDone: onClose })
  const hasPackages = region.offers_count > 0
  return (
    <RemoveDialog
      title={t('admin.regions.removeTitle', { name: region.name })}
      takesAlong={
        !hasPackages && region.products_count > 0
          ? [t('admin.regions.takesLinks', { count: region.products_count })]
          : []
      }
      {...(!hasPackages && region.products_count > 0 && { name: region.name })}
      isBusy={remove.isPending}
      refusal={remove.refusal}
      isRefused={hasPackages}
      onConfirm={() => remove.mutate(region)}
      onClose={onClose}
    >
      <Text>
        {hasPackages
          ? t('admin.regions.hasPackages', { count: region.offers_count })
          : t('admin.regions.removeText', { name: region.name })}
      </Text>
    </RemoveDialog>
  )
}

import { Skeleton, Text } from '@mantine/core'
import type { EditedProduct } from '@olmos/contract/products'
import { topupServices } from '@olmos/contract/topup-data'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { removeProduct, useProduct } from './products.queries.ts'

/** Says what goes with a product, counted now, and asks for its name. */
export function RemoveProduct({ product, onClose }: { product: EditedProduct; onClose(): void }) {
  const { t } = useTranslation()
  const query = useProduct(product.id)
  const { data, error } = query
  const remove = useAdminAction({
    noun: 'products',
    send: removeProduct,
    done: t('admin.remove.done'),
    onDone: onClose,
  })
  const isBuiltIn = product.kind === 'topup' && topupServices.some((service) => service === product.slug)
  const belongings = isBuiltIn ? undefined : data?.belongings
  const lines = belongings
    ? [
        belongings.offers_count > 0 && t('admin.products.takesOffers', { count: belongings.offers_count }),
        belongings.available_codes > 0 && t('admin.products.takesCodes', { count: belongings.available_codes }),
        belongings.cart_items > 0 && t('admin.products.takesCarts', { count: belongings.cart_items }),
      ]
    : []
  return (
    <ConfirmDialog
      title={t('admin.products.removeTitle', { name: product.name })}
      takesAlong={lines.filter((line) => line !== false)}
      {...(!isBuiltIn && { name: product.name })}
      isBusy={remove.isPending}
      isRefused={!belongings}
      refusal={remove.refusal}
      onConfirm={() => remove.mutate(product)}
      onClose={onClose}
    >
      {error && <ListFailed query={query} />}
      {!data && !error && <Skeleton h={72} />}
      {isBuiltIn && <Text>{t('admin.products.builtIn')}</Text>}
      {belongings && (
        <Text>
          {belongings.sold_codes > 0
            ? t('admin.products.keepsReceipts', { count: belongings.sold_codes })
            : t('admin.products.removeText')}
        </Text>
      )}
    </ConfirmDialog>
  )
}

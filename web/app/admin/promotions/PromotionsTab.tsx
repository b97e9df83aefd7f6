import type { ListedPromotion } from '@olmos/contract/promotions'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import type { Column } from '../list/AdminTable.tsx'
import { columns } from '../list/columns.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { PromotionBadge, PromotionForm } from './PromotionForm.tsx'
import { removePromotion, usePromotionSwitch, usePromotions } from './promotions.queries.ts'

export default function PromotionsTab() {
  const { t } = useTranslation()
  return (
    <EditableTable
      list={usePromotions()}
      columns={usePromotionColumns()}
      searchLabel={t('admin.promotions.search')}
      empty={t('admin.promotions.empty')}
      addLabel={t('admin.promotions.add')}
      toName={(promotion) => promotion.text}
      form={(promotion, close) => <PromotionForm promotion={promotion} onClose={close} />}
      removeDialog={(promotion, close) => <RemovePromotion promotion={promotion} onClose={close} />}
    />
  )
}

function usePromotionColumns(): Column<ListedPromotion>[] {
  const { t } = useTranslation()
  const turn = usePromotionSwitch()
  return [
    {
      title: t('admin.promotions.text'),
      sort: 'text',
      isHead: true,
      cell: ({ text, background_color }) => <PromotionBadge text={text} color={background_color} />,
    },
    { title: t('admin.promotions.color'), cell: (promotion) => <code>{promotion.background_color}</code> },
    {
      title: t('admin.promotions.translations'),
      cell: ({ translations }) => Object.keys(translations).join(', ').toUpperCase(),
    },
    columns.toggle(
      { title: t('admin.promotions.active'), sort: 'is_active' },
      {
        label: (promotion) => t('admin.promotions.activeOf', { name: promotion.text }),
        isOn: (promotion) => promotion.is_active,
        onTurn: (row, change) => turn.mutate({ row, change }),
      },
    ),
    columns.created(t),
  ]
}

function RemovePromotion({ promotion, onClose }: { promotion: ListedPromotion; onClose(): void }) {
  const { t } = useTranslation()
  const remove = useAdminAction({
    noun: 'promotions',
    send: removePromotion,
    done: t('admin.remove.done'),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={t('admin.promotions.removeTitle')}
      takesAlong={[t('admin.promotions.takesTranslations', { count: Object.keys(promotion.translations).length })]}
      isBusy={remove.isPending}
      refusal={remove.refusal}
      onConfirm={() => remove.mutate(promotion)}
      onClose={onClose}
    >
      <div>
        <PromotionBadge text={promotion.text} color={promotion.background_color} />
      </div>
    </ConfirmDialog>
  )
}

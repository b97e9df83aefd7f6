import { Button, Switch } from '@mantine/core'
import type { ListedPromotion } from '@olmos/contract/promotions'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Ago } from '../../i18n/Ago.tsx'
import { ConfirmDialog } from '../form/ConfirmDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { PromotionBadge } from './PromotionBadge.tsx'
import { PromotionForm } from './PromotionForm.tsx'
import { removePromotion, usePromotionSwitch, usePromotions } from './promotions.queries.ts'

export default function PromotionsTab() {
  const { t } = useTranslation()
  const list = usePromotions()
  const turn = usePromotionSwitch()
  const [edited, setEdited] = useState<ListedPromotion | 'new'>()
  const [removed, setRemoved] = useState<ListedPromotion>()

  const columns: Column<ListedPromotion>[] = [
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
    {
      title: t('admin.promotions.active'),
      sort: 'is_active',
      cell: (promotion) => (
        <Switch
          aria-label={t('admin.promotions.activeOf', { name: promotion.text })}
          checked={promotion.is_active}
          onChange={(event) => turn.mutate({ row: promotion, change: event.currentTarget.checked })}
        />
      ),
    },
    { title: t('admin.list.created'), sort: 'created_at', cell: (promotion) => <Ago at={promotion.created_at} /> },
  ]

  return (
    <>
      <AdminTable
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={setEdited}
        searchLabel={t('admin.promotions.search')}
        empty={t('admin.promotions.empty')}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.promotions.add')}
          </Button>
        }
        actions={(promotion) => (
          <RowButtons
            name={promotion.text}
            onEdit={() => setEdited(promotion)}
            onRemove={() => setRemoved(promotion)}
          />
        )}
      />
      {edited && (
        <PromotionForm promotion={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {removed && <RemovePromotion promotion={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
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

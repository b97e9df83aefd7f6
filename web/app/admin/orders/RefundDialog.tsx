import { Checkbox, SegmentedControl, Stack, Text } from '@mantine/core'
import type { RefundDestination } from '@olmos/contract/payments'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { PackageName } from '../../money/PackageName.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { noun, type OrderDetail, refundItems, type WantedRefund } from './orders.queries.ts'

/** Gives the money of chosen items back, to the balance or to the card they were paid with. */
export function RefundDialog({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const { t } = useTranslation()
  const items = order.items.filter((item) => item.status === 'delivered')
  const [chosen, setChosen] = useState(items.map((item) => String(item.id)))
  const [to, setTo] = useState<RefundDestination>('wallet')
  const refund = useAdminAction({
    noun,
    send: (wanted: WantedRefund) => refundItems(order.id, wanted),
    done: t('admin.orders.refunded'),
    onDone: onClose,
  })
  const total = items.filter((item) => chosen.includes(String(item.id))).reduce((sum, item) => sum + item.amount, 0)
  return (
    <ReasonDialog
      title={t('admin.orders.refundTitle')}
      text={t('admin.orders.refundText')}
      confirmLabel={t('admin.orders.refund')}
      color="red"
      isIncomplete={chosen.length === 0}
      isBusy={refund.isPending}
      refusal={refund.refusal}
      onConfirm={(reason) => refund.mutate({ items: chosen.map(Number), to, reason })}
      onClose={onClose}
    >
      <Checkbox.Group label={t('admin.orders.refundWhat')} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {items.map((item) => (
            <Checkbox
              key={item.id}
              value={String(item.id)}
              label={
                <>
                  {item.product.title}, <PackageName item={item} />:{' '}
                  <Amount value={item.amount} currency={order.currency} />
                </>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {order.payment_method === 'card' && (
        <SegmentedControl
          aria-label={t('admin.orders.refundTo')}
          fullWidth
          value={to}
          onChange={setTo}
          data={[
            { value: 'wallet', label: t('admin.orders.toWallet') },
            { value: 'card', label: t('admin.orders.toCard') },
          ]}
        />
      )}
      <Text fw={700}>
        {t('admin.orders.refundTotal')} <Amount value={total} currency={order.currency} />
      </Text>
    </ReasonDialog>
  )
}

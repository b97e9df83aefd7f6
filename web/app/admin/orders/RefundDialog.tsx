import { Input, SegmentedControl, Stack, Text } from '@mantine/core'
import type { RefundDestination } from '@olmos/contract/payments'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { type OrderDetail, refundItems, type WantedRefund } from './orders.queries.ts'
import { RefundLine } from './RefundLine.tsx'
import { isPossible, type LineChoice, toSum, wantedLine, wholeLine } from './refund-lines.rules.ts'

/** Gives the money of chosen lines back, all that is left of each or a part of it, to the balance or to the card they were paid with. */
export function RefundDialog({ order, onClose }: { order: OrderDetail; onClose(): void }) {
  const { t } = useTranslation()
  const items = order.items.filter((item) => item.status === 'delivered')
  const [choices, setChoices] = useState<Readonly<Record<number, LineChoice | undefined>>>(
    Object.fromEntries(items.map((item) => [item.id, wholeLine])),
  )
  const [to, setTo] = useState<RefundDestination>('wallet')
  const refund = useAdminAction({
    noun: 'orders',
    send: (wanted: WantedRefund) => refundItems(order.id, wanted),
    done: t('admin.orders.refunded'),
    onDone: onClose,
  })
  const choose = (id: number, choice: LineChoice | undefined) => setChoices({ ...choices, [id]: choice })
  const chosen = items.flatMap((item) => {
    const choice = choices[item.id]
    return choice ? [{ item, choice }] : []
  })
  const total = chosen.reduce((sum, { item, choice }) => sum + toSum(item, choice), 0)
  const areAllPossible = chosen.every(({ item, choice }) => isPossible(item, choice))
  return (
    <ReasonDialog
      title={t('admin.orders.refundTitle')}
      text={t('admin.orders.refundText')}
      confirmLabel={t('admin.orders.refund')}
      color="red"
      isIncomplete={chosen.length === 0 || !areAllPossible}
      isBusy={refund.isPending}
      refusal={refund.refusal}
      onConfirm={(reason) =>
        refund.mutate({ items: chosen.map(({ item, choice }) => wantedLine(item, choice)), to, reason })
      }
      onClose={onClose}
    >
      <Input.Wrapper label={t('admin.orders.refundWhat')} labelElement="div">
        <Stack gap="sm" mt="xs">
          {items.map((item) => (
            <RefundLine
              key={item.id}
              item={item}
              currency={order.currency}
              choice={choices[item.id]}
              onToggle={() => choose(item.id, choices[item.id] ? undefined : wholeLine)}
              onChange={(choice) => choose(item.id, choice)}
            />
          ))}
        </Stack>
      </Input.Wrapper>
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

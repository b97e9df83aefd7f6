import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Delivery } from '@olmos/contract/deliveries'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { useMay } from '../../session/profile.ts'
import { Surface } from '../../ui/Surface.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { whyNoDecision, whyNotAllByHand } from '../orders/order-actions.rules.ts'
import { completeOrder } from '../orders/orders.queries.ts'
import { DecideDelivery, DecisionButtons } from './DecideDelivery.tsx'
import { type DecisionName, useDeliveriesOfOrder } from './deliveries.queries.ts'

/**
 * What of an order waits for an operator, decided where the order is: one by one, or all of it where all was delivered. With
 * the last of it the order is completed.
 */
export function WaitingDeliveries({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const title = useId()
  const { data } = useDeliveriesOfOrder(orderId)
  const may = useMay()
  const [wish, setWish] = useState<{ delivery: Delivery; decision: DecisionName } | 'all'>()
  const units = data?.filter(({ order_id }) => order_id === orderId)
  const waiting = units?.filter(({ operator_since }) => operator_since !== null) ?? []
  const noDecision = units && whyNoDecision(units)
  const notAll = whyNotAllByHand(units ?? [])
  const mayComplete = may('orders.write') && may('orders.refund')
  const close = () => {
    setWish(undefined)
    client.invalidateQueries({ queryKey: queryKeys.admin.noun('orders') })
  }
  return (
    <>
      {noDecision && (
        <Text size="sm" c="dimmed">
          {t(`admin.deliveries.noDecision.${noDecision}`)}
        </Text>
      )}
      {waiting.length > 0 && (
        <Stack component="section" aria-labelledby={title} gap="sm">
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h4" id={title}>
              {t('admin.deliveries.waiting')}
            </Title>
            {mayComplete && !notAll && (
              <Button size="xs" onClick={() => setWish('all')}>
                {t('admin.orders.complete')}
              </Button>
            )}
          </Group>
          {mayComplete && notAll && (
            <Text size="sm" c="dimmed">
              {t(`admin.deliveries.notAllByHand.${notAll}`)}
            </Text>
          )}
          {waiting.map((delivery) => (
            <Surface key={delivery.id} p="md">
              <Text size="sm" mb="xs" translate="no">
                {delivery.item}
                {delivery.quantity > 1 && ` ${delivery.unit}/${delivery.quantity}`} · {delivery.account}
              </Text>
              <Group gap="xs">
                <DecisionButtons onChoose={(decision) => setWish({ delivery, decision })} />
              </Group>
            </Surface>
          ))}
        </Stack>
      )}
      {wish === 'all' && (
        <ReasonDialog
          title={t('admin.orders.completeTitle')}
          text={t('admin.orders.completeText')}
          confirmLabel={t('admin.orders.complete')}
          noun="deliveries"
          send={(reason) => completeOrder(orderId, reason)}
          done={t('admin.orders.completed')}
          onClose={close}
        />
      )}
      {wish && wish !== 'all' && <DecideDelivery {...wish} onClose={close} />}
    </>
  )
}

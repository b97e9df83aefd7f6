import { Group, Stack, Text, Title } from '@mantine/core'
import type { Delivery } from '@olmos/contract/deliveries'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { DecideDelivery, DecisionButtons } from './DecideDelivery.tsx'
import { type DecisionName, useDeliveriesOfOrder } from './deliveries.queries.ts'

/** What of an order waits for an operator, decided where the order is: with the last of it the order is completed. */
export function WaitingDeliveries({ orderId }: { orderId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const title = useId()
  const { data } = useDeliveriesOfOrder(orderId)
  const [wish, setWish] = useState<{ delivery: Delivery; decision: DecisionName }>()
  const waiting = data?.filter(({ order_id, operator_since }) => order_id === orderId && operator_since !== null) ?? []
  const close = () => {
    setWish(undefined)
    client.invalidateQueries({ queryKey: queryKeys.admin.noun('orders') })
  }
  return (
    <>
      {waiting.length > 0 && (
        <Stack component="section" aria-labelledby={title} gap="sm">
          <Title order={2} size="h4" id={title}>
            {t('admin.deliveries.waiting')}
          </Title>
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
      {wish && <DecideDelivery {...wish} onClose={close} />}
    </>
  )
}

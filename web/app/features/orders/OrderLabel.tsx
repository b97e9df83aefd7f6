import { Group } from '@mantine/core'
import type { ListedOrder, Receipt } from '@olmos/contract/orders'
import { ItemState, OrderStatus } from './OrderStatus.tsx'
import { deliveryOf, labelOf } from './order.rules.ts'

/** How an order stands for its customer, and beside it how far its top-ups are while they are on their way. */
export function OrderLabel({ order }: { order: ListedOrder | Receipt }) {
  const delivery = deliveryOf(order)
  return (
    <Group gap={6} component="span">
      <OrderStatus status={labelOf(order)} />
      {delivery && <ItemState status={delivery} />}
    </Group>
  )
}

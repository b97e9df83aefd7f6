import { Group, Text, Title } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { Amount } from '../../money/Amount.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { ItemOutcome } from './ItemOutcome.tsx'
import { ItemReview } from './ItemReview.tsx'
import { findTarget } from './OrderName.tsx'
import classes from './ReceiptItems.module.css'
import { TopupSteps } from './TopupSteps.tsx'

/** How far the top-ups of an order are. There is nothing to copy or to activate. */
export function ReceiptTopups({ order }: { order: Receipt }) {
  const isOne = order.items.length === 1
  return order.items.map((item) => (
    <section key={item.id} className={classes.item}>
      {!isOne && (
        <>
          <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap">
            <Title order={2} size="h4">
              <OfferName item={item} />
            </Title>
            <Text size="sm">
              <Amount value={item.amount} currency={order.currency} />
            </Text>
          </Group>
          {!findTarget(order.items) && <TopupTarget topup={item.topup_data} />}
        </>
      )}
      {(!isOne || item.refunded_to !== null || item.partial_refunds.length > 0) && (
        <ItemOutcome item={item} currency={order.currency} hasState={!isOne} />
      )}
      <TopupSteps item={item} />
      <ItemReview orderId={order.id} item={item} />
    </section>
  ))
}

import { Box, Divider, Group, Stack, Text, Title } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { Amount } from '../../money/Amount.tsx'
import { GameAmount } from '../../money/GameAmount.tsx'
import { nameBesidesAmount } from '../../money/game-number.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { ItemOutcome } from './ItemOutcome.tsx'
import { ItemReview } from './ItemReview.tsx'
import { TopupSteps } from './TopupSteps.tsx'

/** A receipt of top-ups: what goes into the game, large, and how far it is. There is nothing to copy or to activate. */
export function ReceiptTopups({ order }: { order: Receipt }) {
  return (
    <Stack>
      {order.items.map((item) => (
        <Surface key={item.id}>
          <Group gap="md" align="flex-start" wrap="nowrap">
            <Thumbnail src={item.product.image_url} width={104} />
            <Box flex={1} miw={0}>
              <Title order={2} size="h4">
                {item.product.title}
              </Title>
              <Text fw={700} size="xl">
                <WhatArrives item={item} />
              </Text>
              <TopupTarget topup={item.topup_data} />
            </Box>
          </Group>
          <Group justify="space-between" align="flex-start" mt="sm" gap="xs">
            <ItemOutcome item={item} currency={order.currency} />
            <Text fw={700}>
              <Amount value={item.amount} currency={order.currency} />
            </Text>
          </Group>
          <Divider my="sm" color="var(--olmos-line)" />
          <TopupSteps item={item} />
          <ItemReview orderId={order.id} item={item} />
        </Surface>
      ))}
    </Stack>
  )
}

/** The sum of what arrives; packages that are more than an amount, such as passes, are named. */
function WhatArrives({ item }: { item: Receipt['items'][number] }) {
  if (nameBesidesAmount(item)) return <OfferName item={item} />
  return <GameAmount amount={item.game_amount * item.quantity} currency={item.game_currency} />
}

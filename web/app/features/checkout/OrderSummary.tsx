import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import type { Currency } from '@olmos/contract/money'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { lineTotal } from '../../money/total.ts'
import { Surface } from '../../ui/Surface.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'

/** What is bought, each line at its price in the chosen currency. */
export function OrderSummary({ items, currency }: { items: CartItem[]; currency: Currency }) {
  const { t } = useTranslation()
  return (
    <Surface>
      <Title order={2} size="h3" mb="sm">
        {t('checkout.order')}
      </Title>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item) => (
          <Group key={item.id} component="li" wrap="nowrap" align="flex-start" gap="sm">
            <Thumbnail src={item.image_url} width={64} />
            <Box flex={1} miw={0}>
              <Text fw={600} lineClamp={2}>
                {item.product_title}
              </Text>
              <Text size="sm" c="dimmed">
                <OfferName item={item} offerName={item.topup_data?.offer_name} />
              </Text>
              <TopupTarget topup={item.topup_data} />
            </Box>
            <Text fw={600} miw={0}>
              <Amount value={lineTotal(item, currency)} currency={currency} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Surface>
  )
}

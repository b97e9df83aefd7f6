import { ActionIcon, Box, Group, Text } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import { LIMITS } from '@olmos/contract/limits'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Price } from '../../money/Price.tsx'
import { lineTotal } from '../../money/total.ts'
import { paths } from '../../paths.ts'
import { Quantity } from '../../ui/Quantity.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { useChangeQuantity, useRemoveItem } from './cart.queries.ts'

export function CartLine({ item }: { item: CartItem }) {
  const { t } = useTranslation()
  const change = useChangeQuantity()
  const remove = useRemoveItem()
  const max = Math.min(item.available_count, LIMITS.quantityMax)
  const take = () => remove.mutate(item.id)
  const set = (quantity: number) => (quantity < 1 ? take() : change.mutate({ id: item.id, quantity }))

  return (
    <Surface p="sm">
      <Group align="flex-start" wrap="nowrap" gap="sm">
        <Thumbnail src={item.image_url} />
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            <Text component={Link} to={paths.product(item.product_slug)} fw={600} c="inherit" lineClamp={2}>
              {item.product_title}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={40}
              mt={-6}
              mr={-6}
              aria-label={t('cart.remove', { title: item.product_title })}
              onClick={take}
            >
              <IconX size={18} />
            </ActionIcon>
          </Group>
          <Text size="sm" c="dimmed">
            {item.topup_data?.offer_name ?? <GameAmount amount={item.game_amount} currency={item.game_currency} />}
          </Text>
          {item.topup_data && (
            <Text size="sm" c="dimmed">
              {t('topups.forAccount', { account: item.topup_data.player_name ?? item.topup_data.player_id })}
            </Text>
          )}
        </Box>
      </Group>
      <Group justify="space-between" mt="sm" gap="xs">
        <Quantity
          value={item.quantity}
          min={0}
          max={max}
          onChange={set}
          labels={{
            group: t('cart.quantityOf', { title: item.product_title }),
            less: t('cart.less'),
            more: t('cart.more'),
            remove: t('cart.remove', { title: item.product_title }),
          }}
        />
        <Price usd={lineTotal(item, 'USD')} rub={lineTotal(item, 'RUB')} isRounded />
      </Group>
      <StockNote quantity={item.quantity} max={max} />
    </Surface>
  )
}

/** Why plus cannot be pressed, or what stands in the way of the checkout. */
function StockNote({ quantity, max }: { quantity: number; max: number }) {
  const { t } = useTranslation()
  if (quantity < max) return null
  const text =
    max === 0 ? t('cart.soldOut') : quantity > max ? t('cart.tooMany', { count: max }) : t('cart.maxQuantity')
  return (
    <Text size="sm" mt={6} c={quantity > max ? 'var(--olmos-bad)' : 'dimmed'} role="status">
      {text}
    </Text>
  )
}

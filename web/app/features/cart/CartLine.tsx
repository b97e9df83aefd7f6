import { ActionIcon, Box, Group, Text } from '@mantine/core'
import type { CartItem } from '@olmos/contract/cart'
import * as LIMITS from '@olmos/contract/limits'
import { IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { choiceSearch } from '../../choice-in-address.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { Price } from '../../money/Price.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
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
  const max = item.available_count
  const take = () => remove.mutate(item.id)
  const set = (quantity: number) => (quantity < 1 ? take() : change.mutate({ id: item.id, quantity }))

  return (
    <Surface p="sm" pl={18} radius={0} bd={0} style={{ boxShadow: `inset 6px 0 0 ${item.color}` }}>
      {/* The words go below only where they are so large that one would break. */}
      <Group align="flex-start" gap="sm">
        <Thumbnail src={item.image_url} />
        <Box flex="1 1 9rem" miw={0}>
          <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
            {/* As high as a finger, without more room around it. */}
            <Text component={Link} to={productLink(item)} fw={600} c="inherit" display="block" py={10} my={-10}>
              <Text span inherit lineClamp={4}>
                {item.product_title}
              </Text>
            </Text>
            {/* Where one is left, less removes it. */}
            {item.quantity > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={40}
                mt={-6}
                mb={-12}
                mr={-6}
                aria-label={t('cart.remove', { title: item.product_title })}
                onClick={take}
              >
                <IconTrash size={18} />
              </ActionIcon>
            )}
          </Group>
          <Text size="sm" c="dimmed">
            <OfferName item={item} isCounted={false} />
          </Text>
          <TopupTarget topup={item.topup_data} />
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
      <StockNote item={item} />
    </Surface>
  )
}

/** Leads to the very offer of a code, so that another one is not bought by mistake. */
const productLink = (item: CartItem): string =>
  item.item_type === 'topup'
    ? paths.product(item.product_slug)
    : paths.product(item.product_slug) + choiceSearch({ region: item.region_id, amount: item.game_amount })

/** Why plus cannot be pressed, or what stands in the way of the checkout. */
function StockNote({ item }: { item: CartItem }) {
  const { t } = useTranslation()
  const { quantity, available_count: max } = item
  if (quantity < max) return null
  const isTooMany = quantity > max
  const isOurLimit = item.item_type === 'topup' || max >= LIMITS.quantityMax
  const mostText = isOurLimit ? t('cart.mostAtOnce', { count: max }) : t('cart.maxQuantity')
  const text = max === 0 ? t('cart.soldOut') : isTooMany ? t('cart.tooMany', { count: max }) : mostText
  return (
    <Text size="sm" mt={6} c={isTooMany ? 'var(--olmos-bad)' : 'dimmed'} role="status">
      {text}
    </Text>
  )
}

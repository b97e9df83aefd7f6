import { Box, Group, Text } from '@mantine/core'
import type { ListedOrder } from '@olmos/contract/orders'
import { Link } from 'react-router'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { OfferName } from '../../money/OfferName.tsx'
import { TopupTarget } from '../../money/TopupTarget.tsx'
import { paths } from '../../paths.ts'
import { Thumbnail } from '../../ui/Thumbnail.tsx'
import { MethodName } from './MethodName.tsx'
import classes from './OrderCard.module.css'
import { OrderLabel } from './OrderLabel.tsx'

/** An order in the list: what it was, when, for how much, and how it stands. Leads to its receipt. */
export function OrderCard({ order }: { order: ListedOrder }) {
  const { t } = useTranslation()
  const language = useLanguage()
  // Nothing was charged for an order that nobody paid in time.
  const charge = order.status === 'expired' ? null : order.paid_by?.charge
  const titles = [...new Set(order.items.map((item) => item.product.title))]
  return (
    <Link to={paths.order(order.id)} className={classes.card}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Thumbnail src={order.items[0]?.product.image_url ?? ''} width={72} />
        <Box flex={1} miw={0}>
          <Text fw={700} lineClamp={2}>
            {titles.join(', ')}
          </Text>
          <Items order={order} isOneProduct={titles.length === 1} />
          <Text size="sm" c="dimmed">
            {t('orders.number', { id: order.id })}
          </Text>
          <Text size="sm" c="dimmed">
            <Moment at={order.created_at} />
          </Text>
          <Text size="sm" c="dimmed">
            <MethodName order={order} />
          </Text>
        </Box>
      </Group>
      <Group justify="space-between" mt="sm" gap="xs">
        <OrderLabel order={order} />
        <Box ms="auto" ta="end">
          <Text fw={700}>
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
          {order.from_balance > 0 && order.status !== 'expired' && (
            <Text size="sm" c="dimmed">
              {t('receipt.fromBalance', { amount: formatAmount(order.from_balance, order.currency, language) })}
            </Text>
          )}
          {charge && (
            <Text size="sm" c="dimmed">
              <Amount value={charge.amount} currency={charge.currency} />
            </Text>
          )}
        </Box>
      </Group>
    </Link>
  )
}

const itemsShown = 3

/** Lists what tells orders of one product apart: the offers, where their codes work, and the recipients. */
function Items({ order, isOneProduct }: { order: ListedOrder; isOneProduct: boolean }) {
  const { t } = useTranslation()
  const more = order.items.length - itemsShown
  return (
    <>
      {order.items.slice(0, itemsShown).map((item) => (
        <div key={item.id}>
          <Text size="sm">
            {!isOneProduct && `${item.product.title}, `}
            <OfferName item={item} />
          </Text>
          <TopupTarget topup={item.topup_data} />
        </div>
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('orders.moreItems', { count: more })}
        </Text>
      )}
    </>
  )
}

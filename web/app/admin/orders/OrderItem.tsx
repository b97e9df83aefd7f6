import { Button, Group, Stack, Text } from '@mantine/core'
import type { OrderCode } from '@olmos/contract/admin-orders'
import { useState } from 'react'
import { ItemState } from '../../features/orders/OrderBadge.tsx'
import { PartialRefunds } from '../../features/orders/PartialRefunds.tsx'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { OfferName } from '../../money/OfferName.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { ReasonDialog } from '../form/ReasonDialog.tsx'
import { CostLine } from '../profit/Earned.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { isReplaceable, whyNoReplace } from './order-actions.rules.ts'
import { type OrderDetail, type OrderDetailItem, replaceCode } from './orders.queries.ts'

export function OrderItem({ order, item }: { order: OrderDetail; item: OrderDetailItem }) {
  const { t } = useTranslation()
  const [bad, setBad] = useState<OrderCode>()
  const noReplace = whyNoReplace(item)
  return (
    <Surface p="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Text fw={600}>{item.product.title}</Text>
          <Text size="sm" c="dimmed">
            <OfferName item={item} /> · <Amount value={item.amount} currency={order.currency} />
          </Text>
          {item.topup_data && (
            <Text size="sm" translate="no">
              <OfferName item={item} isCounted={false} /> → {item.topup_data.login || item.topup_data.player_id}
              {item.topup_data.player_name && ` (${item.topup_data.player_name})`}
            </Text>
          )}
          <PartialRefunds refunds={item.partial_refunds} currency={order.currency} />
          {item.profit && <CostLine profit={item.profit} currency={order.currency} />}
        </div>
        <ItemState status={item.status} />
      </Group>
      {item.codes.length > 0 && (
        <Stack component="ul" gap="xs" mt="sm" mb={0} p={0} style={{ listStyle: 'none' }}>
          {item.codes.map((code) => (
            <Group key={code.id} component="li" justify="space-between" gap="xs">
              <div style={{ flex: '1 1 8.5rem', minWidth: 0 }}>
                <Text ff="monospace" size="sm" translate="no">
                  {code.code}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('admin.codes.number', { id: code.id })} · {t(`admin.codes.state.${code.status}`)} ·{' '}
                  <CodeFate code={code} />
                </Text>
              </div>
              {!noReplace && isReplaceable(code) && (
                <Allowed to="codes.replace">
                  <Button size="xs" variant="default" flex="0 0 auto" onClick={() => setBad(code)}>
                    {t('admin.orders.replace')}
                  </Button>
                </Allowed>
              )}
            </Group>
          ))}
        </Stack>
      )}
      {noReplace && (
        <Allowed to="codes.replace">
          <Text size="sm" c="dimmed" mt="xs">
            {t(`admin.orders.noReplace.${noReplace}`)}
          </Text>
        </Allowed>
      )}
      {bad && (
        <ReasonDialog
          title={t('admin.orders.replaceTitle')}
          text={t('admin.orders.replaceText', { code: bad.code })}
          confirmLabel={t('admin.orders.replace')}
          noun="orders"
          send={(reason) => replaceCode(order.id, bad.id, reason)}
          done={t('admin.orders.replaced')}
          onClose={() => setBad(undefined)}
        />
      )}
    </Surface>
  )
}

/** Taken back, seen by the buyer, or not seen yet. */
function CodeFate({ code }: { code: OrderCode }) {
  const { t } = useTranslation()
  const at = code.returned_at ?? code.revealed_at
  if (!at) return t('admin.orders.unseen')
  return (
    <>
      {t(code.returned_at ? 'admin.orders.returned' : 'admin.orders.seen')} <Moment at={at} />
    </>
  )
}

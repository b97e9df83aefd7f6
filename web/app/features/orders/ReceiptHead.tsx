import { Box, Group, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { Amount } from '../../money/Amount.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { OrderLabel } from './OrderLabel.tsx'
import classes from './ReceiptHead.module.css'

/** When, how and how much, and how the order stands. */
export function ReceiptHead({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  return (
    <Surface>
      <Box component="dl" m={0} className={classes.facts}>
        <Fact name={t('receipt.status')}>
          <OrderLabel order={order} />
        </Fact>
        <Fact name={t('receipt.date')}>
          <Moment at={order.created_at} />
        </Fact>
        <Fact name={t('receipt.method')}>{t(`receipt.methods.${order.payment_method}`)}</Fact>
        <Fact name={t('checkout.total')}>
          <Text fw={700} span>
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
        </Fact>
      </Box>
    </Surface>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap={4} style={{ flexDirection: 'column', alignItems: 'flex-start' }}>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm">
        {children}
      </Text>
    </Group>
  )
}

import { Box, Group, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import type { ReactNode } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { Surface } from '../../ui/Surface.tsx'
import { MethodName } from './MethodName.tsx'
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
        <Fact name={t('receipt.method')}>
          <MethodName order={order} />
        </Fact>
        <Fact name={t('checkout.total')}>
          <Text fw={700} span>
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
          <FromBalance order={order} />
          <Charge order={order} />
        </Fact>
      </Box>
    </Surface>
  )
}

/** How much of the total the balance pays beside the method; nothing for an order that took none in the end. */
function FromBalance({ order: { from_balance, currency, status } }: { order: Receipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (from_balance === 0 || status === 'expired') return null
  return (
    <Text size="sm" c="dimmed">
      {t('receipt.fromBalance', { amount: formatAmount(from_balance, currency, language) })}
    </Text>
  )
}

/** What is charged in another currency than the order's: what was, or what will be while the payment is awaited. */
function Charge({ order: { purpose, paid_by, payment, status } }: { order: Receipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const charge = paid_by?.charge
  const isCharged = payment?.settled_to === (purpose === 'balance' ? 'wallet' : 'order')
  if (!charge || !(isCharged || status === 'awaiting_payment')) return null
  const amount = formatAmount(charge.amount, charge.currency, language)
  return (
    <Text size="sm" c="dimmed">
      {isCharged ? t('receipt.wasCharged', { amount }) : t('checkout.charged', { amount })}
    </Text>
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

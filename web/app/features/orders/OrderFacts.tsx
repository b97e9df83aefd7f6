import { Anchor, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RecentMoment } from '../../i18n/Moment.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { MethodName } from './MethodName.tsx'
import classes from './OrderFacts.module.css'
import { OrderLabel } from './OrderLabel.tsx'

interface OrderFactsProps {
  order: Receipt
  /** Whether its number leads to its page. */
  isLinked?: boolean
}

/** How an order stands, when and how it was paid, and how much it was; its number, which is small. */
export function OrderFacts({ order, isLinked = false }: OrderFactsProps) {
  const { t } = useTranslation()
  const number = t('orders.number', { id: order.id })
  return (
    <dl className={classes.facts}>
      <Fact name={t('receipt.status')}>
        <OrderLabel order={order} />
      </Fact>
      {/* What a code stands for was paid when it was bought. */}
      {order.payment_method !== 'code' && (
        <Fact name={t('checkout.total')}>
          <Text fw={600} span>
            <Amount value={order.total_amount} currency={order.currency} />
          </Text>
          <CouponUsed order={order} />
          <FromBalance order={order} />
          <Fee order={order} />
          <Charge order={order} />
        </Fact>
      )}
      <Fact name={t('receipt.method')}>
        <MethodName order={order} />
      </Fact>
      <Fact name={t('receipt.date')}>
        <RecentMoment at={order.created_at} />
      </Fact>
      <Fact name={t('receipt.number')}>
        {isLinked ? (
          <Anchor component={Link} to={paths.order(order.id)} size="sm" aria-label={number} translate="no">
            {order.id}
          </Anchor>
        ) : (
          <span translate="no" className={classes.number}>
            {order.id}
          </span>
        )}
      </Fact>
    </dl>
  )
}

/** What a coupon took off the total. */
function CouponUsed({ order: { coupon, currency } }: { order: Receipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (!coupon) return null
  return (
    <Text size="sm" c="dimmed">
      {t('receipt.coupon', { code: coupon.code, amount: formatAmount(coupon.discount, currency, language) })}
    </Text>
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

/** What the way to pay costs on top of the total, once it is paid or while it is awaited, and how much of that was refunded. */
function Fee({ order: { purpose, currency, paid_by, payment, status } }: { order: Receipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const isPaid = payment?.settled_to === (purpose === 'balance' ? 'wallet' : 'order')
  if (!paid_by?.fee || !(isPaid || status === 'awaiting_payment')) return null
  const { fee, fee_refunded: refunded } = paid_by
  return (
    <Text size="sm" c="dimmed">
      {t('checkout.feeOfMethod', { amount: formatAmount(fee, currency, language) })}
      {refunded > 0 && ` · ${t('receipt.feeRefunded', { amount: formatAmount(refunded, currency, language) })}`}
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
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

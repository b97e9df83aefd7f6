import { Button, Stack, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { Link } from 'react-router'
import { formatAmong } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { isOnlyTopups } from './order.rules.ts'
import { type Situation, toSituation } from './situation.ts'

/** What the state of an order that is not simply done means for the customer, and what happens next. */
export function OrderNote({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  const situation = toSituation(order)
  // The steps of a pending top-up say more.
  if (!situation || (situation === 'pending' && isOnlyTopups(order))) return null
  const texts: Record<Situation, string> = {
    awaiting: t('receipt.awaitingText'),
    declined: t('receipt.declinedText'),
    pending: t('receipt.pendingText'),
    expired: t('receipt.expiredText'),
    paidToBalance: t('receipt.onBalanceText'),
    paidTwice: t('receipt.paidTwiceText'),
    atOperator: t('receipt.toOperator'),
    refunded: t('receipt.refundedText'),
    partlyRefunded: t('receipt.partlyText'),
  }
  return (
    <Stack gap="sm" align="flex-start">
      <div>
        {situation === 'paidTwice' && <Text fw={600}>{t('receipt.paidTwice')}</Text>}
        <Text>{texts[situation]}</Text>
      </div>
      <PartState order={order} />
      {situation === 'awaiting' && <WayToPay payment={order.payment} />}
      {situation === 'declined' && (
        <Button component={Link} to={wayToOrderAgain(order)} size="md">
          {t('receipt.tryAgain')}
        </Button>
      )}
    </Stack>
  )
}

/** Leads back to what was to be bought: a top-up's page, or the cart, which a declined payment leaves as it was. */
function wayToOrderAgain({ items }: Receipt): string {
  const [first] = items
  return first?.topup_data && items.every(({ topup_data }) => topup_data)
    ? paths.product(first.topup_data.service)
    : paths.checkout
}

/** What became of the part from the balance while the order waits, and when it ended unpaid. */
function PartState({ order: { from_balance, currency, status } }: { order: Receipt }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (from_balance === 0 || (status !== 'awaiting_payment' && status !== 'expired')) return null
  const amount = formatAmount(from_balance, currency, language)
  return <Text>{t(status === 'expired' ? 'receipt.partReturned' : 'receipt.partReserved', { amount })}</Text>
}

function WayToPay({ payment }: Pick<Receipt, 'payment'>) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (!payment) return null
  return (
    <>
      {payment.expires_at && (
        <Text>
          {t('receipt.payBy', { time: formatAmong(payment.expires_at, [new Date().toISOString()], language) })}
        </Text>
      )}
      {payment.pay_url && (
        <Button component="a" href={payment.pay_url} size="md">
          {t('receipt.goOnPaying')}
        </Button>
      )}
    </>
  )
}

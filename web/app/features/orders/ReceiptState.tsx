import { Alert, Button, Loader, Stack, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconClockOff, IconCoins, IconCreditCardOff, IconHourglass } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatTimeOfDay } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'
import { paths } from '../../paths.ts'
import { type Situation, toSituation } from './situation.ts'

interface Explanation {
  icon: ReactNode
  title: string
  text: string
}

/** What an order that is not simply done means for the customer, and what happens next. */
export function ReceiptState({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  const situation = toSituation(order)
  const explanations: Record<Situation, Explanation> = {
    awaiting: { icon: <Loader size={18} aria-hidden />, title: t('receipt.awaiting'), text: t('receipt.awaitingText') },
    declined: { icon: <IconCreditCardOff />, title: t('receipt.declined'), text: t('receipt.declinedText') },
    pending: { icon: <IconHourglass />, title: t('receipt.pending'), text: t('receipt.pendingText') },
    expired: { icon: <IconClockOff />, title: t('receipt.expired'), text: t('receipt.expiredText') },
    paidLate: { icon: <IconCoins />, title: t('receipt.expired'), text: t('receipt.lateToWallet') },
    paidTwice: { icon: <IconCoins />, title: t('receipt.paidTwice'), text: t('receipt.paidTwiceText') },
    atOperator: { icon: <IconHourglass />, title: t('receipt.expired'), text: t('receipt.toOperator') },
    refunded: { icon: <IconCoins />, title: t('receipt.refunded'), text: t('receipt.refundedText') },
    partlyRefunded: { icon: <IconCoins />, title: t('receipt.partly'), text: t('receipt.partlyText') },
  }
  const explanation = situation && explanations[situation]
  if (!explanation) return null
  return (
    <Alert variant="default" role="status" icon={explanation.icon} title={explanation.title}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{explanation.text}</Text>
        <PartState order={order} />
        {situation === 'awaiting' && <WayToPay payment={order.payment} />}
        {situation === 'declined' && (
          <Button component={Link} to={wayToOrderAgain(order)}>
            {t('receipt.tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
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
  return <Text size="sm">{t(status === 'expired' ? 'receipt.partReturned' : 'receipt.partReserved', { amount })}</Text>
}

function WayToPay({ payment }: Pick<Receipt, 'payment'>) {
  const { t } = useTranslation()
  if (!payment) return null
  return (
    <>
      {payment.expires_at && <Text size="sm">{t('receipt.payBy', { time: formatTimeOfDay(payment.expires_at) })}</Text>}
      {payment.pay_url && (
        <Button component="a" href={payment.pay_url}>
          {t('receipt.goOnPaying')}
        </Button>
      )}
    </>
  )
}

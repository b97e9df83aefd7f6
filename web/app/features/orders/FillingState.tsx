import { Alert, Button, Loader, Stack, Text } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { IconCircleCheck, IconClockOff, IconCoins, IconCreditCardOff, IconHourglass } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { toSituation } from './situation.ts'

type FillingSituation = 'awaiting' | 'declined' | 'expired' | 'filled' | 'paidTwice' | 'atOperator'

/** How the filling of a balance stands: waiting, in the balance, or not paid. */
export function FillingState({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  const icons: Record<FillingSituation, ReactNode> = {
    awaiting: <Loader size={18} aria-hidden />,
    declined: <IconCreditCardOff />,
    expired: <IconClockOff />,
    filled: <IconCircleCheck />,
    paidTwice: <IconCoins />,
    atOperator: <IconHourglass />,
  }
  const situation = toFillingSituation(order)
  return (
    <Alert variant="default" role="status" icon={icons[situation]} title={t(`fill.states.${situation}.title`)}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t(`fill.states.${situation}.text`)}</Text>
        {situation === 'awaiting' && order.payment?.pay_url && (
          <Button component="a" href={order.payment.pay_url}>
            {t('receipt.goOnPaying')}
          </Button>
        )}
        {(situation === 'declined' || situation === 'expired') && (
          <Button component={Link} to={paths.fill(order.currency, order.total_amount)}>
            {t('fill.again')}
          </Button>
        )}
        {situation === 'filled' && (
          <Button component={Link} to={paths.profile} variant="default">
            {t('fill.toBalance')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function toFillingSituation({ status, payment }: Pick<Receipt, 'status' | 'payment'>): FillingSituation {
  if (status === 'completed') return payment?.is_paid_twice ? 'paidTwice' : 'filled'
  if (payment?.settled_to === 'operator') return 'atOperator'
  const situation = toSituation({ status, payment })
  return situation === 'awaiting' || situation === 'declined' ? situation : 'expired'
}

import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Receipt } from '@olmos/contract/orders'
import { Link } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { Drawing } from '../../ui/Drawing.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toSituation } from './situation.ts'

type FillingSituation = 'awaiting' | 'declined' | 'expired' | 'filled' | 'paidTwice' | 'atOperator'

const drawings: Partial<Record<FillingSituation, 'waiting' | 'failed' | 'empty'>> = {
  awaiting: 'waiting',
  atOperator: 'waiting',
  declined: 'failed',
  expired: 'empty',
}

/** How the filling of a balance stands: waiting, in the balance, or not paid. */
export function FillingState({ order }: { order: Receipt }) {
  const { t } = useTranslation()
  const situation = toFillingSituation(order)
  const drawing = drawings[situation]
  return (
    <Surface>
      <Group align="center" gap="lg" wrap="wrap">
        {drawing && <Drawing of={drawing} />}
        <Stack gap="sm" align="flex-start" flex={1} miw={220}>
          <div role="status">
            <Title order={2} size="h3">
              {t(`fill.states.${situation}.title`)}
            </Title>
            <Text mt={4}>{t(`fill.states.${situation}.text`)}</Text>
          </div>
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
      </Group>
    </Surface>
  )
}

function toFillingSituation(order: Receipt): FillingSituation {
  const { status, payment } = order
  if (status === 'completed') return payment?.is_paid_twice ? 'paidTwice' : 'filled'
  if (payment?.settled_to === 'operator') return 'atOperator'
  const situation = toSituation(order)
  return situation === 'awaiting' || situation === 'declined' ? situation : 'expired'
}

import { Alert, Button, Group, Text } from '@mantine/core'
import type { CurrencyRate } from '@olmos/contract/rates'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { changeRate } from './rates.queries.ts'

/** A new rate that jumped too far: in force once an admin says so. */
export function PendingRate({ rate, pendingRate }: { rate: CurrencyRate; pendingRate: number }) {
  const { t } = useTranslation()
  const decide = useAdminAction({
    noun: 'rates',
    // Both rates, and how far they are apart, stand beside the button.
    send: (value: number) => changeRate(rate, { rate: value, confirmJump: true }),
    done: t('admin.form.saved'),
  })
  const jump = ((pendingRate / rate.rate - 1) * 100).toFixed(1)
  return (
    <Alert color="yellow" role="alert" mb="md" title={t('admin.rates.held', { rate: pendingRate, jump })}>
      <Text size="sm" mb="sm">
        {t('admin.rates.pendingText')} {rate.held_at && <Moment at={rate.held_at} />}
      </Text>
      <Group gap="sm">
        <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate(pendingRate)}>
          {t('admin.rates.approve')}
        </Button>
        <Button size="xs" variant="default" loading={decide.isPending} onClick={() => decide.mutate(rate.rate)}>
          {t('admin.rates.reject')}
        </Button>
      </Group>
      {decide.refusal && (
        <Text size="sm" c="var(--olmos-bad)" mt="xs">
          {decide.refusal}
        </Text>
      )}
    </Alert>
  )
}

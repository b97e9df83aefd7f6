import { Button, Collapse, Group, Skeleton, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { CurrencyRate } from '@olmos/contract/rates'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Moment } from '../../i18n/Moment.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { toastError } from '../../ui/toast.ts'
import { refusalText } from '../form/refusal-text.ts'
import { useAdminAction } from '../form/use-admin-action.ts'
import { PendingRate } from './PendingRate.tsx'
import { RateForm } from './RateForm.tsx'
import { changeRate } from './rates.queries.ts'

const RateHistory = lazy(async () => ({ default: (await import('./RateHistory.tsx')).RateHistory }))

/** One rate: what it is, where it is from, and whether it follows its source. */
export function RateCard({ rate }: { rate: CurrencyRate }) {
  const { t } = useTranslation()
  const [isHistoryOpen, history] = useDisclosure(false)
  const auto = useAdminAction({
    noun: 'rates',
    send: (auto_update: boolean) => changeRate(rate, { auto_update }),
    done: t('admin.form.saved'),
  })
  const pair = `${rate.from_currency} → ${rate.to_currency}`
  return (
    <section aria-label={pair}>
      <Surface p="lg">
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4">
            {pair}
          </Title>
          <Switch
            label={t('admin.rates.auto')}
            // At once; taken back when it is refused.
            checked={auto.isPending ? auto.variables : rate.auto_update}
            onChange={(event) =>
              auto.mutate(event.currentTarget.checked, { onError: (error) => toastError(refusalText(t, error)) })
            }
          />
        </Group>
        {rate.held_rate !== null && <PendingRate rate={rate} pendingRate={rate.held_rate} />}
        <RateForm rate={rate} />
        <Group mt="sm" justify="space-between">
          <Text size="sm" c="dimmed">
            {t('admin.rates.source', { source: t(`admin.rates.origin.${rate.source}`, { defaultValue: rate.source }) })}{' '}
            · <Moment at={rate.last_updated} />
          </Text>
          <Button variant="subtle" size="compact-sm" aria-expanded={isHistoryOpen} onClick={history.toggle}>
            {t('admin.rates.history')}
          </Button>
        </Group>
        <Collapse expanded={isHistoryOpen}>
          {isHistoryOpen && (
            <Suspense fallback={<Skeleton h={200} />}>
              <RateHistory rate={rate} />
            </Suspense>
          )}
        </Collapse>
      </Surface>
    </section>
  )
}

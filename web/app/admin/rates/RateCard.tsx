import { Alert, Button, Collapse, Group, Skeleton, Stack, Switch, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { CurrencyRate } from '@olmos/contract/rates'
import { lazy, Suspense } from 'react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { Conflict } from '../form/Conflict.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { Allowed } from '../shell/Allowed.tsx'
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
    isRefusalToasted: true,
  })
  const pair = `${rate.from_currency} → ${rate.to_currency}`
  return (
    <section aria-label={pair}>
      <Surface p="lg">
        <Group justify="space-between" mb="sm">
          <Title order={2} size="h4">
            {pair}
          </Title>
          <Allowed to="prices.write">
            <Switch
              label={t('admin.rates.auto')}
              // Optimistic: rolled back when it is refused.
              checked={auto.isPending ? auto.variables : rate.auto_update}
              onChange={(event) => auto.mutate(event.currentTarget.checked)}
            />
          </Allowed>
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

function RateForm({ rate }: { rate: CurrencyRate }) {
  const { t } = useTranslation()
  const saving = useAdminForm<{ rate: number | string }, CurrencyRate>({
    noun: 'rates',
    row: rate,
    toValues: (row) => ({ rate: row?.rate ?? '' }),
    validate: (values): Record<string, string> => (Number(values.rate) > 0 ? {} : { rate: 'invalid_amount' }),
    send: (values, _version, seen = rate, isConfirmed) =>
      changeRate(seen, { rate: Number(values.rate), ...(isConfirmed && { confirmJump: true }) }),
  })
  const { form, isBusy, foreignChanges, refusal } = saving
  const label = t('admin.rates.rate', { from: rate.from_currency, to: rate.to_currency })
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <DecimalInput
            label={label}
            decimalScale={8}
            min={0}
            maw={200}
            {...form.getInputProps('rate')}
            error={form.errors.rate ?? refusal}
          />
          <Allowed to="prices.write">
            <Button
              type="submit"
              variant="default"
              flex="0 0 auto"
              loading={isBusy}
              disabled={Number(form.values.rate) === rate.rate || foreignChanges.length > 0}
            >
              {t('admin.form.save')}
            </Button>
          </Allowed>
        </Group>
        <Conflict form={saving} labels={{ rate: label }} />
      </Stack>
    </form>
  )
}

/** A new rate that jumped too far: in force once an admin says so. */
function PendingRate({ rate, pendingRate }: { rate: CurrencyRate; pendingRate: number }) {
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
      <Stack gap="sm">
        <Text size="sm">
          {t('admin.rates.pendingText')} {rate.held_at && <Moment at={rate.held_at} />}
        </Text>
        <RefusalAlert text={decide.refusal} />
        <Group gap="sm">
          <Allowed to="prices.write">
            <Button size="xs" loading={decide.isPending} onClick={() => decide.mutate(pendingRate)}>
              {t('admin.rates.approve')}
            </Button>
          </Allowed>
          <Allowed to="prices.write">
            <Button size="xs" variant="default" loading={decide.isPending} onClick={() => decide.mutate(rate.rate)}>
              {t('admin.rates.reject')}
            </Button>
          </Allowed>
        </Group>
      </Stack>
    </Alert>
  )
}

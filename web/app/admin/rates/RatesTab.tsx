import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAdminAction } from '../form/use-admin-action.ts'
import { ListFailed } from '../list/ListFailed.tsx'
import { RateCard } from './RateCard.tsx'
import { RateSettings } from './RateSettings.tsx'
import { noun, refreshRates, useRateSettings, useRates } from './rates.queries.ts'

export default function RatesTab() {
  const { t } = useTranslation()
  const { data: rates, error, isFetching, refetch } = useRates()
  const settings = useRateSettings()
  const refresh = useAdminAction({ noun, send: refreshRates, done: t('admin.rates.refreshed') })
  if (!rates && error) return <ListFailed error={error} isBusy={isFetching} onRetry={refetch} />
  if (!rates) return <Skeleton h={420} radius="lg" />
  return (
    <Stack gap="lg">
      <Group>
        <Button
          leftSection={<IconRefresh size={18} />}
          loading={refresh.isPending}
          onClick={() => refresh.mutate(undefined)}
        >
          {t('admin.rates.refresh')}
        </Button>
      </Group>
      {refresh.refusal && (
        <Alert color="red" role="alert">
          {refresh.refusal} {refresh.error?.message}
        </Alert>
      )}
      {rates.map((rate) => (
        <RateCard key={rate.id} rate={rate} />
      ))}
      {settings.data && <RateSettings settings={settings.data} />}
      {settings.error && <ListFailed error={settings.error} isBusy={settings.isFetching} onRetry={settings.refetch} />}
    </Stack>
  )
}

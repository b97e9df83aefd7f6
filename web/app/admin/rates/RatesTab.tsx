import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAdminAction } from '../form/use-admin-action.ts'
import { ListFailed, Loaded } from '../list/ListFailed.tsx'
import { RateCard } from './RateCard.tsx'
import { RateSettings } from './RateSettings.tsx'
import { refreshRates, useRateSettings, useRates } from './rates.queries.ts'

export default function RatesTab() {
  const { t } = useTranslation()
  const query = useRates()
  const settings = useRateSettings()
  const refresh = useAdminAction({ noun: 'rates', send: refreshRates, done: t('admin.rates.refreshed') })
  return (
    <Loaded query={query} height={420}>
      {(rates) => (
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
          {settings.error && <ListFailed query={settings} />}
        </Stack>
      )}
    </Loaded>
  )
}

import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { BUSINESS } from '@olmos/contract/business'
import type { CurrencySettings, RateSourceName } from '@olmos/contract/rates'
import { IconRefresh } from '@tabler/icons-react'
import { Moment } from '../../i18n/Moment.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { DecimalInput } from '../../money/MoneyInput.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminAction } from '../form/use-admin-action.ts'
import { useAdminForm } from '../form/use-admin-form.ts'
import { ListFailed, Loaded } from '../list/ListFailed.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { RateCard } from './RateCard.tsx'
import { refreshRates, type SettingsValues, saveSettings, useRateSettings, useRates } from './rates.queries.ts'

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
            <Allowed to="prices.write">
              <Button
                leftSection={<IconRefresh size={18} />}
                loading={refresh.isPending}
                onClick={() => refresh.mutate(undefined)}
              >
                {t('admin.rates.refresh')}
              </Button>
            </Allowed>
          </Group>
          <RefusalAlert text={refresh.refusal && `${refresh.refusal} ${refresh.error?.message}`} />
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
            {rates.map((rate) => (
              <RateCard key={rate.id} rate={rate} />
            ))}
          </SimpleGrid>
          {settings.data && <RateSettings settings={settings.data} />}
          {settings.error && <ListFailed query={settings} />}
        </Stack>
      )}
    </Loaded>
  )
}

const sourceNames = ['cbr', 'cbu', 'fixed'] as const satisfies readonly RateSourceName[]

const percent = { suffix: ' %', decimalScale: 2, min: 0 }

const toValues = ({
  last_run_at: _,
  last_error: __,
  last_success_at: ___,
  version: ____,
  ...values
}: CurrencySettings): SettingsValues => values

/** When rates are renewed, from where, and how far they may jump by themselves. */
function RateSettings({ settings }: { settings: CurrencySettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<SettingsValues & Record<string, unknown>, CurrencySettings>({
    noun: 'rates',
    row: settings,
    toValues: (row = settings) => toValues(row),
    send: saveSettings,
  })
  const { form } = saving
  const { last_run_at, last_error, last_success_at } = settings
  const labels = {
    auto_update: t('admin.rates.daily'),
    update_time: t('admin.rates.time'),
    timezone: t('admin.rates.timezone'),
    source: t('admin.rates.from'),
    max_jump_percent: t('admin.rates.maxJump'),
    markup_percent: t('admin.rates.markup'),
  }
  const sources = sourceNames.map((value) => ({ value, label: t(`admin.rates.sources.${value}`) }))
  return (
    <SettingsForm
      form={saving}
      permission="prices.write"
      id="settings"
      title={t('admin.rates.settings')}
      labels={labels}
      choices={{ source: sources }}
      aside={
        last_run_at && (
          <Text size="sm" c="dimmed">
            {t('admin.rates.lastRun')} <Moment at={last_run_at} />
          </Text>
        )
      }
    >
      <Switch label={labels.auto_update} {...form.getInputProps('auto_update', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput type="time" label={labels.update_time} {...form.getInputProps('update_time')} />
        <TextInput label={labels.timezone} {...form.getInputProps('timezone')} />
        <NativeSelect label={labels.source} data={sources} {...form.getInputProps('source')} />
        <DecimalInput
          label={labels.max_jump_percent}
          description={t('admin.rates.maxJumpHint')}
          {...percent}
          {...form.getInputProps('max_jump_percent')}
        />
        <DecimalInput
          label={labels.markup_percent}
          description={t('admin.rates.markupHint', { max: BUSINESS.rateMarkupPercentMax })}
          {...percent}
          {...form.getInputProps('markup_percent')}
        />
      </SimpleGrid>
      {last_error && (
        <Alert color="red" title={t('admin.rates.lastError')}>
          {last_error}
          {last_success_at && (
            <Text size="sm">
              {t('admin.rates.lastSuccess')} <Moment at={last_success_at} />
            </Text>
          )}
        </Alert>
      )}
    </SettingsForm>
  )
}

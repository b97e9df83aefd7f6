import { NativeSelect } from '@mantine/core'
import type { ShopSettings } from '@olmos/contract/shop'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { saveTimeZone, type TimeZoneValues } from './shop.queries.ts'

/** In which time zone the days of the business begin and end. */
export function TimeZoneForm({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<TimeZoneValues, ShopSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => ({ time_zone: row.time_zone ?? '' }),
    send: saveTimeZone,
    done: t('admin.shop.timeZoneSaved'),
  })
  const { form } = saving
  const labels = { time_zone: t('admin.shop.timeZone') }
  // Browsers call some zones by another name than the one that was chosen in another browser.
  const zones = new Set([form.values.time_zone || 'UTC', 'UTC', ...Intl.supportedValuesOf('timeZone')])
  const options = [
    { value: '', label: t('admin.shop.serverTimeZone', { zone: settings.server_time_zone }) },
    ...[...zones].sort().map((value) => ({ value, label: value })),
  ]
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-time-zone"
      title={labels.time_zone}
      text={t('admin.shop.timeZoneText')}
      labels={labels}
      choices={{ time_zone: options }}
    >
      <NativeSelect label={labels.time_zone} data={options} {...form.getInputProps('time_zone')} />
    </SettingsForm>
  )
}

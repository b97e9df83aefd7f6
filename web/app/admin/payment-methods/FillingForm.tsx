import { SimpleGrid, Switch } from '@mantine/core'
import type { FillingSettings } from '@olmos/contract/fillings'
import * as LIMITS from '@olmos/contract/limits'
import { useTranslation } from '../../i18n/use-translation.ts'
import { MoneyInput } from '../../money/MoneyInput.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { type FillingValues, saveFillingSettings } from './payment-methods.queries.ts'

const toValues = ({ is_on, least_usd, least_rub, most_usd, most_rub }: FillingSettings): FillingValues => ({
  is_on,
  least_usd,
  least_rub,
  most_usd,
  most_rub,
})

/** Whether customers may fill their balance by the methods above, and with how much at a time. */
export function FillingForm({ settings }: { settings: FillingSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<FillingValues, FillingSettings>({
    noun: 'paymentSetup',
    row: settings,
    toValues: (row = settings) => toValues(row),
    send: saveFillingSettings,
  })
  const { form } = saving
  const labels = {
    is_on: t('admin.fillings.isOn'),
    least_usd: t('admin.payMethods.leastUsd'),
    least_rub: t('admin.payMethods.leastRub'),
    most_usd: t('admin.payMethods.mostUsd'),
    most_rub: t('admin.payMethods.mostRub'),
  }
  const money = { max: LIMITS.amountMax / 100 }
  return (
    <SettingsForm form={saving} permission="payments.setup" id="filling-settings" labels={labels}>
      <Switch label={labels.is_on} {...form.getInputProps('is_on', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <MoneyInput currency="USD" label={labels.least_usd} {...money} {...form.getInputProps('least_usd')} />
        <MoneyInput currency="USD" label={labels.most_usd} {...money} {...form.getInputProps('most_usd')} />
        <MoneyInput currency="RUB" label={labels.least_rub} {...money} {...form.getInputProps('least_rub')} />
        <MoneyInput currency="RUB" label={labels.most_rub} {...money} {...form.getInputProps('most_rub')} />
      </SimpleGrid>
    </SettingsForm>
  )
}

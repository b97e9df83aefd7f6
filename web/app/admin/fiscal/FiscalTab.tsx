import { Checkbox, Fieldset, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { FiscalSettings } from '@olmos/contract/fiscal-settings'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { Loaded } from '../list/ListFailed.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import {
  type FiscalValues,
  receiptChoices,
  saveFiscalSettings,
  toFiscalValues,
  useFiscalSettings,
} from './fiscal.queries.ts'
import { TryReceipt } from './TryReceipt.tsx'

export default function FiscalTab() {
  return (
    <Loaded query={useFiscalSettings()} height={420}>
      {(settings) => (
        <Stack gap="lg">
          <FiscalForm settings={settings} />
          {settings.available.length > 0 && (
            <Allowed to="payments.setup">
              <TryReceipt available={settings.available} />
            </Allowed>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

/** Which providers are sent receipts, and what the receipts say. */
function FiscalForm({ settings }: { settings: FiscalSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<FiscalValues, FiscalSettings>({
    noun: 'fiscal',
    row: settings,
    toValues: (row = settings) => toFiscalValues(row),
    send: saveFiscalSettings,
  })
  const { form } = saving
  const labels = {
    providers: t('admin.fiscal.providers'),
    tax_system: t('admin.fiscal.taxSystem'),
    tax: t('admin.fiscal.tax'),
    subject: t('admin.fiscal.subject'),
    mode: t('admin.fiscal.mode'),
    ikpu: t('admin.fiscal.ikpu'),
    package_code: t('admin.fiscal.packageCode'),
    vat_percent: t('admin.fiscal.vatPercent'),
  }
  const choices = receiptChoices(t)
  // One that is switched on and no longer configured can still be switched off.
  const names = [...new Set([...settings.available.map(({ name }) => name), ...form.values.providers])]
  return (
    <SettingsForm
      form={saving}
      permission="payments.setup"
      id="fiscal-settings"
      title={t('admin.fiscal.settings')}
      text={t('admin.fiscal.text')}
      labels={labels}
      choices={choices}
    >
      {names.length === 0 && <Text>{t('admin.fiscal.none')}</Text>}
      <Checkbox.Group
        label={labels.providers}
        description={t('admin.fiscal.providersHint')}
        {...form.getInputProps('providers')}
      >
        <Stack gap="xs" mt="xs">
          {names.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label={labels.tax_system}
          description={t('admin.fiscal.taxSystemHint')}
          data={[{ value: '', label: t('admin.fiscal.noTaxSystem') }, ...choices.tax_system]}
          {...form.getInputProps('tax_system')}
        />
        <NativeSelect
          label={labels.tax}
          description={t('admin.fiscal.perProduct')}
          data={choices.tax}
          {...form.getInputProps('tax')}
        />
        <NativeSelect label={labels.subject} data={choices.subject} {...form.getInputProps('subject')} />
        <NativeSelect label={labels.mode} data={choices.mode} {...form.getInputProps('mode')} />
      </SimpleGrid>
      <Fieldset legend={t('admin.fiscal.uzbekistan')}>
        <Text size="sm" c="dimmed" mb="sm">
          {t('admin.fiscal.uzbekistanText')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput inputMode="numeric" maxLength={17} label={labels.ikpu} {...form.getInputProps('ikpu')} />
          <TextInput
            inputMode="numeric"
            maxLength={20}
            label={labels.package_code}
            {...form.getInputProps('package_code')}
          />
          <NumberInput
            label={labels.vat_percent}
            min={0}
            max={100}
            allowDecimal={false}
            allowNegative={false}
            hideControls
            {...form.getInputProps('vat_percent')}
          />
        </SimpleGrid>
      </Fieldset>
    </SettingsForm>
  )
}

import { Button, Group, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import * as LIMITS from '@olmos/contract/limits'
import type { ProviderSetting, ShopProvider } from '@olmos/contract/payment-setup'
import { PasswordField } from '../../features/accounts/account-fields.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import {
  type ProviderValues,
  type SetUp,
  saveAccount,
  typableSettings,
  typedSettings,
} from './payment-methods.queries.ts'
import { TriedText, useTry } from './use-try.tsx'

/** Makes the values of the fields of an account: blank where it is not known what is there. */
export const toSettingValues = (provider: SetUp | undefined): ProviderValues => ({
  settings: Object.fromEntries(
    (provider ? typableSettings(provider) : []).map(({ name, origin, value }) => [
      name,
      origin === 'shop' ? (value ?? '') : '',
    ]),
  ),
  changed_at: provider?.changed_at ?? '',
})

/** What a provider has to be told about the shop, as it asks for it. A secret is written and never read. */
export function ProviderForm({ provider, onClose }: { provider: ShopProvider; onClose(): void }) {
  const { t } = useTranslation()
  const asking = useTry(provider)
  const { form, ...saving } = useAdminForm<ProviderValues, ShopProvider>({
    noun: 'paymentSetup',
    row: provider,
    toValues: toSettingValues,
    send: (values, version) => saveAccount(provider, values, version),
    onSaved: onClose,
  })
  const settings = typableSettings(provider)
  const toLabel = (name: string) => t(`admin.payMethods.settings.${name}`, { defaultValue: name })
  const labels = {
    changed_at: t('admin.payMethods.changed'),
    ...Object.fromEntries(settings.map(({ name }) => [`settings.${name}`, toLabel(name)])),
  }
  const typed = typedSettings(provider, form.values)
  return (
    <FormDrawer
      title={t('admin.payMethods.accountOf', { name: provider.name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <Text size="sm" c="dimmed">
        {t('admin.payMethods.accountHint')}
      </Text>
      <AccountFields settings={settings} toLabel={toLabel} form={form} />
      <TriedText asking={asking} />
      <Group>
        <Button variant="default" loading={asking.isPending} onClick={() => asking.mutate(typed)}>
          {t('admin.payMethods.try')}
        </Button>
      </Group>
    </FormDrawer>
  )
}

interface AccountFieldsProps {
  settings: readonly ProviderSetting[]
  toLabel(name: string): string
  form: Pick<UseFormReturnType<ProviderValues>, 'getInputProps' | 'errors'>
}

/** The fields of an account, one for each setting that may be typed. */
export const AccountFields = ({ settings, toLabel, form }: AccountFieldsProps) =>
  settings.map((setting) => (
    <SettingField
      key={setting.name}
      setting={setting}
      label={toLabel(setting.name)}
      field={{
        ...form.getInputProps(`settings.${setting.name}`),
        // The store names the setting itself.
        error: form.errors[`settings.${setting.name}`] ?? form.errors[setting.name],
      }}
    />
  ))

interface SettingFieldProps {
  setting: ProviderSetting
  label: string
  field: object
}

/** A setting to type: a secret that is stored is not shown, and stays where nothing is typed. */
function SettingField({ setting, label, field }: SettingFieldProps) {
  const { t } = useTranslation()
  const isSet = setting.origin === 'shop'
  const common = {
    label,
    description: label === setting.name ? undefined : setting.name,
    required: setting.is_required && !isSet,
    maxLength: LIMITS.settingLengthMax,
    autoComplete: 'off',
    spellCheck: false,
    ...field,
  }
  if (setting.use === 'shown')
    return <TextInput {...common} placeholder={setting.is_required ? '' : t('admin.payMethods.usual')} />
  return <PasswordField {...common} autoComplete="new-password" placeholder={isSet ? t('admin.payMethods.kept') : ''} />
}

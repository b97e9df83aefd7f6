import { Text, TextInput } from '@mantine/core'
import * as LIMITS from '@olmos/contract/limits'
import type { ProviderSetting } from '@olmos/contract/payment-setup'
import type { ReactNode } from 'react'
import type { AdminNoun } from '../../api/query-keys.ts'
import { PasswordField } from '../../features/accounts/account-fields.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { type ProviderValues, type SetUp, typableSettings, typedSettings } from './payment-methods.queries.ts'

/** Makes the values of the fields of an account: blank where it is not known what is there. */
const toSettingValues = (account: SetUp | undefined): ProviderValues => ({
  settings: Object.fromEntries(
    (account ? typableSettings(account) : []).map(({ name, origin, value }) => [
      name,
      origin === 'shop' ? (value ?? '') : '',
    ]),
  ),
  changed_at: account?.changed_at ?? '',
})

interface CredentialsFormProps<Account> {
  account: Account
  name: string
  hint: string
  noun: AdminNoun
  /** What a setting is called, by its name in the environment. */
  toLabel(setting: string): string
  save(account: Account, values: ProviderValues, version: number | undefined): Promise<{ data: Account }>
  onClose(): void
  /** What stands below the fields; it gets what was typed into them. */
  children?(typed: Record<string, string>): ReactNode
}

/** What a provider or a channel has to be told about the shop, as it asks for it. A secret is written and never read. */
export function CredentialsForm<Account extends SetUp>({
  account,
  name,
  hint,
  noun,
  toLabel,
  save,
  onClose,
  children,
}: CredentialsFormProps<Account>) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<ProviderValues, Account>({
    noun,
    row: account,
    toValues: toSettingValues,
    send: (values, version) => save(account, values, version),
    onSaved: onClose,
  })
  const settings = typableSettings(account)
  const labels = {
    changed_at: t('admin.payMethods.changed'),
    ...Object.fromEntries(settings.map((setting) => [`settings.${setting.name}`, toLabel(setting.name)])),
  }
  return (
    <FormDrawer
      title={t('admin.payMethods.accountOf', { name })}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {settings.map((setting) => (
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
      ))}
      {children?.(typedSettings(account, form.values))}
    </FormDrawer>
  )
}

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

import { languages } from '@olmos/contract/fields'
import type { ShopSettings } from '@olmos/contract/shop'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { OfferedChoices } from './OfferedChoices.tsx'
import { type LanguageValues, saveLanguages } from './shop.queries.ts'

/** Which languages the pages have, and which of them an address need not name. */
export function LanguagesForm({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<LanguageValues, ShopSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => ({ languages: row.languages, default_language: row.default_language }),
    send: saveLanguages,
    done: t('admin.shop.languagesSaved'),
  })
  const { form } = saving
  const options = languages.map((value) => ({ value, label: languageNames[value] }))
  const labels = { languages: t('admin.shop.languages'), default_language: t('admin.shop.defaultLanguage') }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="shop-languages"
      title={t('admin.shop.languages')}
      text={t('admin.shop.languagesText')}
      labels={labels}
      choices={{ languages: options, default_language: options }}
    >
      <OfferedChoices
        options={options}
        labels={{ offered: labels.languages, standard: labels.default_language }}
        offered={form.values.languages}
        standard={form.values.default_language}
        inputs={{ offered: form.getInputProps('languages'), standard: form.getInputProps('default_language') }}
        onChange={(languages, default_language) => form.setValues({ languages, default_language })}
      />
    </SettingsForm>
  )
}

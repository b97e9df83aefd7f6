import { Switch, TextInput } from '@mantine/core'
import type { Region } from '@olmos/contract/regions'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../i18n/languages.ts'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { RegionFlag } from './RegionFlag.tsx'
import { type RegionValues, saveRegion } from './regions.queries.ts'

const toValues = (region: Region | undefined): RegionValues => ({
  name: region?.name ?? '',
  translations: { en: region?.translations.en ?? '', uz: region?.translations.uz ?? '' },
  code: region?.code ?? '',
  flag: region?.flag ?? '',
  is_active: region?.is_active ?? true,
})

export function RegionForm({ region, onClose }: { region: Region | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm({
    noun: 'regions',
    row: region,
    toValues,
    send: (values, version) => saveRegion(region, values, version),
    onSaved: onClose,
  })
  const labels = {
    name: t('admin.regions.name'),
    'translations.en': languageNames.en,
    'translations.uz': languageNames.uz,
    code: t('admin.regions.code'),
    flag: t('admin.regions.flag'),
    is_active: t('admin.regions.active'),
  }
  return (
    <FormDrawer
      title={region ? t('admin.regions.edit', { name: region.name }) : t('admin.regions.add')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={labels}
    >
      <TextInput
        label={labels.name}
        description={languageNames.ru}
        required
        maxLength={100}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput label={languageNames.en} maxLength={100} {...form.getInputProps('translations.en')} />
      <TextInput label={languageNames.uz} maxLength={100} {...form.getInputProps('translations.uz')} />
      <TextInput
        label={labels.code}
        description={t('admin.regions.codeHint')}
        required
        maxLength={10}
        {...form.getInputProps('code')}
      />
      <TextInput
        label={labels.flag}
        description={t('admin.regions.flagHint')}
        rightSection={<RegionFlag flag={form.values.flag} />}
        {...form.getInputProps('flag')}
      />
      <Switch label={labels.is_active} {...form.getInputProps('is_active', { type: 'checkbox' })} />
    </FormDrawer>
  )
}

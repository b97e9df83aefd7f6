import { Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from '../../i18n/use-translation.ts'
import { LanguageTabs } from '../form/LanguageTabs.tsx'
import type { ProductValues } from './product-values.ts'

/** Name, description and instructions in each language. Russian is the one that has to be there. */
export function ProductTexts({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const place = (language: string) => (language === 'ru' ? '' : `translations.${language}.`)
  const isWrong = (language: string) => {
    const start = place(language)
    const fields = [`${start}name`, `${start}description`, `${start}activationInstructions`]
    return fields.some((field) => form.errors[field] !== undefined)
  }
  return (
    <LanguageTabs label={t('admin.products.languages')} isWrong={isWrong}>
      {(language) => (
        <Stack gap="sm">
          <TextInput
            label={t('admin.products.name')}
            required={language === 'ru'}
            description={language === 'ru' ? undefined : t('admin.products.blankName')}
            maxLength={200}
            data-autofocus={language === 'ru' || undefined}
            {...form.getInputProps(`${place(language)}name`)}
          />
          <Textarea
            label={t('admin.products.description')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={5_000}
            {...form.getInputProps(`${place(language)}description`)}
          />
          <Textarea
            label={t('admin.products.instructions')}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={10_000}
            {...form.getInputProps(`${place(language)}activationInstructions`)}
          />
        </Stack>
      )}
    </LanguageTabs>
  )
}

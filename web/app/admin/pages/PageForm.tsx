import { Alert, Anchor, Button, Group, List, Stack, Switch, Text, Textarea } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import type { PageBlock, WrittenPage } from '@olmos/contract/pages'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { OwnText } from '../../features/own-pages/Blocks.tsx'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { LanguageTabs } from '../form/LanguageTabs.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { SideView } from '../list/SideView.tsx'
import { PageHistory } from './PageHistory.tsx'
import { type PageValues, previewText, savePage, toPageValues } from './pages.queries.ts'

/** Writes a page in each language. What is saved is a new version; what was shown before stays in the history. */
export function PageForm({ page }: { page: WrittenPage }) {
  const { t, language } = useTranslation()
  const saving = useAdminForm<PageValues, WrittenPage>({
    noun: 'pages',
    row: page,
    toValues: (row = page) => toPageValues(row),
    send: (values, version) => savePage(page.name, values, version),
    done: t('admin.pages.saved'),
  })
  const { form } = saving
  const [shown, setShown] = useState<{ language: Language; blocks: PageBlock[] }>()
  const preview = useMutation({
    mutationFn: (language: Language) => previewText(form.values.texts[language]),
    retry: false,
    onSuccess: (blocks, language) => setShown({ language, blocks }),
    onError: (error, language) => {
      const faults = Object.entries(fieldTexts(t, toFieldErrors(error)))
      form.setErrors(
        Object.fromEntries(faults.map(([field, text]) => [field.replace(/^text\b/, `texts.${language}`), text])),
      )
    },
  })
  const faults = useFaults(form.errors)
  const labels = {
    is_published: t('admin.pages.publish'),
    ...Object.fromEntries(languages.map((one) => [`texts.${one}`, languageNames[one]])),
  }
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="own-page"
      title={t(`pages.${page.name}`)}
      text={t('admin.pages.markdown')}
      labels={labels}
      aside={<PageHistory page={page} onTake={(version) => form.setValues(toPageValues(version))} />}
    >
      <LanguageTabs>
        {(language) => (
          <Stack gap="sm">
            <Textarea
              lang={language}
              autosize
              minRows={12}
              maxRows={32}
              label={t('admin.pages.textIn', { language: languageNames[language] })}
              {...form.getInputProps(`texts.${language}`)}
              onChange={(event) => {
                form.clearErrors()
                form.setFieldValue(`texts.${language}`, event.currentTarget.value)
              }}
            />
            <Group>
              <Button
                variant="default"
                leftSection={<IconEye size={18} aria-hidden />}
                loading={preview.isPending}
                onClick={() => preview.mutate(language)}
              >
                {t('admin.pages.preview')}
              </Button>
            </Group>
          </Stack>
        )}
      </LanguageTabs>
      {faults.length > 0 && (
        <Alert color="red" role="alert" title={t('admin.pages.faults')}>
          <List size="sm">
            {faults.map((fault) => (
              <List.Item key={fault}>{fault}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <RefusalAlert
        text={preview.error && faults.length === 0 ? refusalText({ t, language }, preview.error) : undefined}
      />
      <Switch
        label={labels.is_published}
        description={t('admin.pages.publishHint')}
        {...form.getInputProps('is_published', { type: 'checkbox' })}
        error={form.errors.texts && faults.length === 0 ? t('admin.pages.nothingToShow') : undefined}
      />
      {page.is_published && (
        <Anchor href={paths.page(page.name)} target="_blank" size="sm">
          {t('admin.pages.onThePage')}
        </Anchor>
      )}
      {shown && (
        <SideView
          title={t('admin.pages.previewOf', { language: languageNames[shown.language] })}
          onClose={() => setShown(undefined)}
        >
          {shown.blocks.length > 0 ? (
            <OwnText blocks={shown.blocks} language={shown.language} />
          ) : (
            <Text c="dimmed">{t('admin.pages.blank')}</Text>
          )}
        </SideView>
      )}
    </SettingsForm>
  )
}

/** Says what may not be in the texts, by language and line. */
function useFaults(errors: Readonly<Record<string, unknown>>): string[] {
  const { t } = useTranslation()
  return Object.entries(errors).flatMap(([path, text]) => {
    const [, language, line] = /^texts\.(ru|en|uz)\.(\d+)$/.exec(path) ?? []
    if (!language || !line) return []
    return t('admin.pages.fault', { language: languageNames[language as Language], line, fault: String(text) })
  })
}

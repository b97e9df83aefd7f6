import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { AnswerTemplate, NewTemplate } from '@olmos/contract/desk'
import * as LIMITS from '@olmos/contract/limits'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import type { Column } from '../list/AdminTable.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { EditableTable } from '../list/EditableTable.tsx'
import { Removed } from '../shop/Removed.tsx'
import { Versions } from '../shop/Versions.tsx'
import { removedTemplates, removeTemplate, saveTemplate, templateHistory, useTemplates } from './support.queries.ts'

/** Answers that are written often: added, changed and deleted. */
export function TemplatesView() {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      <Group>
        <BackLink to={paths.admin('support')} text={t('admin.support.back')} />
      </Group>
      <EditableTable
        permission="support.write"
        list={useTemplates()}
        columns={useTemplateColumns()}
        searchLabel={t('admin.support.templatesSearch')}
        empty={t('admin.support.noTemplates')}
        addLabel={t('admin.support.addTemplate')}
        moreHead={<Removed bin={removedTemplates} />}
        toName={(template) => template.title}
        moreButtons={(template) => <Versions history={templateHistory(template)} name={template.title} />}
        form={(template, close) => <TemplateForm template={template} onClose={close} />}
        removeDialog={(template, close) => <RemoveTemplate template={template} onClose={close} />}
      />
    </Stack>
  )
}

function useTemplateColumns(): Column<AnswerTemplate>[] {
  const { t } = useTranslation()
  return [
    { title: t('admin.support.templateTitle'), sort: 'title', isHead: true, cell: ({ title }) => <b>{title}</b> },
    {
      title: t('admin.support.message'),
      isWide: true,
      cell: ({ texts }) => (
        <Text size="sm" lineClamp={2} dir="auto">
          {texts.ru || texts.uz || texts.en}
        </Text>
      ),
    },
  ]
}

function RemoveTemplate({ template, onClose }: { template: AnswerTemplate; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ActionDialog
      title={t('admin.support.removeTemplate', { name: template.title })}
      noun="answerTemplates"
      send={() => removeTemplate(template)}
      onClose={onClose}
    >
      <Text>{t('admin.support.removeTemplateText')}</Text>
    </ActionDialog>
  )
}

function TemplateForm({ template, onClose }: { template: AnswerTemplate | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<NewTemplate, AnswerTemplate>({
    noun: 'answerTemplates',
    row: template,
    toValues: (shown) => ({ title: shown?.title ?? '', texts: shown?.texts ?? { ru: '', en: '', uz: '' } }),
    send: (values, version) => saveTemplate(template, values, version),
    onSaved: onClose,
  })
  const title = t('admin.support.templateTitle')
  const textLabels = Object.fromEntries(
    shownLanguages.map((language) => [
      `texts.${language}`,
      t('admin.support.templateText', { language: languageNames[language] }),
    ]),
  )
  return (
    <FormDrawer
      title={template ? t('admin.support.editTemplate', { name: template.title }) : t('admin.support.addTemplate')}
      onClose={onClose}
      form={{ form, ...saving }}
      labels={{ title, ...textLabels }}
    >
      <TextInput
        label={title}
        required
        maxLength={LIMITS.templateTitleMax}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Text size="sm">{t('admin.support.templateHint')}</Text>
      <RefusalAlert text={form.errors.texts} />
      {shownLanguages.map((language) => (
        <Textarea
          key={language}
          label={textLabels[`texts.${language}`]}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={LIMITS.messageLengthMax}
          {...form.getInputProps(`texts.${language}`)}
        />
      ))}
    </FormDrawer>
  )
}

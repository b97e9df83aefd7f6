import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { AnswerTemplate, NewTemplate } from '@olmos/contract/desk'
import * as LIMITS from '@olmos/contract/limits'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { languageNames, shownLanguages } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../form/ActionDialog.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { AdminTable, type Column } from '../list/AdminTable.tsx'
import { BackLink } from '../list/BackLink.tsx'
import { RowButtons } from '../list/RowButtons.tsx'
import { removeTemplate, saveTemplate, useTemplates } from './support.queries.ts'

/** Answers that are written often: added, changed and deleted. */
export function TemplatesView() {
  const { t } = useTranslation()
  const list = useTemplates()
  const [edited, setEdited] = useState<AnswerTemplate | 'new'>()
  const [removed, setRemoved] = useState<AnswerTemplate>()

  const templateColumns: Column<AnswerTemplate>[] = [
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
  return (
    <Stack gap="md">
      <Group>
        <BackLink to={paths.admin('support')} text={t('admin.support.back')} />
      </Group>
      <AdminTable
        list={list}
        columns={templateColumns}
        onOpen={setEdited}
        searchLabel={t('admin.support.templatesSearch')}
        empty={t('admin.support.noTemplates')}
        head={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('admin.support.addTemplate')}
          </Button>
        }
        actions={(row) => (
          <RowButtons name={row.title} onEdit={() => setEdited(row)} onRemove={() => setRemoved(row)} />
        )}
      />
      {edited && <TemplateForm row={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && (
        <ActionDialog
          title={t('admin.support.removeTemplate', { name: removed.title })}
          noun="answerTemplates"
          send={() => removeTemplate(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <Text>{t('admin.support.removeTemplateText')}</Text>
        </ActionDialog>
      )}
    </Stack>
  )
}

function TemplateForm({ row, onClose }: { row: AnswerTemplate | undefined; onClose(): void }) {
  const { t } = useTranslation()
  const { form, ...saving } = useAdminForm<NewTemplate, AnswerTemplate>({
    noun: 'answerTemplates',
    row,
    toValues: (shown) => ({ title: shown?.title ?? '', texts: shown?.texts ?? { ru: '', en: '', uz: '' } }),
    send: (values, version) => saveTemplate(row, values, version),
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
      title={row ? t('admin.support.editTemplate', { name: row.title }) : t('admin.support.addTemplate')}
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

import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { languages } from '@olmos/contract/fields'
import type { FrontSettings } from '@olmos/contract/front'
import * as LIMITS from '@olmos/contract/limits'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { LanguageTabs } from '../form/LanguageTabs.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { type QuestionValues, saveQuestions, toQuestionValues } from './front.queries.ts'
import { Preview, QuestionList } from './Preview.tsx'

/** The questions and answers of the support page; a language without any has those of the store. */
export function QuestionsForm({ front }: { front: FrontSettings }) {
  const { t } = useTranslation()
  const saving = useAdminForm<QuestionValues, FrontSettings>({
    noun: 'shop',
    row: front,
    toValues: (row = front) => toQuestionValues(row),
    send: saveQuestions,
    done: t('admin.front.saved'),
  })
  const { form } = saving
  const labels = Object.fromEntries(languages.map((one) => [`questions.${one}`, languageNames[one]]))
  const read = (value: unknown) => String((value as unknown[]).length)
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="front-questions"
      title={t('admin.front.questions')}
      text={t('admin.front.questionsText')}
      labels={labels}
      read={Object.fromEntries(Object.keys(labels).map((field) => [field, read]))}
    >
      <LanguageTabs>
        {(language) => (
          <Stack gap="lg">
            {form.values.questions[language].map((_, at) => {
              const place = `questions.${language}.${at}` as const
              return (
                <Stack key={form.key(place)} gap="xs">
                  <TextInput
                    lang={language}
                    label={t('admin.front.question', { number: at + 1 })}
                    maxLength={LIMITS.questionMax}
                    {...form.getInputProps(`${place}.question`)}
                  />
                  <Textarea
                    lang={language}
                    autosize
                    minRows={2}
                    label={t('admin.front.answer', { number: at + 1 })}
                    maxLength={LIMITS.answerMax}
                    {...form.getInputProps(`${place}.answer`)}
                  />
                  <Group justify="flex-end">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t('admin.front.removeQuestion', { number: at + 1 })}
                      onClick={() => form.removeListItem(`questions.${language}`, at)}
                    >
                      {t('admin.front.remove')}
                    </Button>
                  </Group>
                </Stack>
              )
            })}
            <Group>
              <Button
                variant="default"
                disabled={form.values.questions[language].length >= LIMITS.questionsMax}
                onClick={() => form.insertListItem(`questions.${language}`, { question: '', answer: '' })}
              >
                {t('admin.front.addQuestion')}
              </Button>
            </Group>
          </Stack>
        )}
      </LanguageTabs>
      <Preview name={t('admin.front.questions')}>
        {(language) => <QuestionList questions={form.values.questions[language]} />}
      </Preview>
    </SettingsForm>
  )
}

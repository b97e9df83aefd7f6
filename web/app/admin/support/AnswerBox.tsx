import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import type { AnswerTemplate, Conversation, OpenedConversation } from '@olmos/contract/desk'
import * as LIMITS from '@olmos/contract/limits'
import { IconSend } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { fieldTexts, toFieldErrors } from '../../api/field-texts.ts'
import { shownLanguages } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Surface } from '../../ui/Surface.tsx'
import { useStoredText } from '../../ui/stored-text.ts'
import { RefusalAlert } from '../form/RefusalAlert.tsx'
import { refusalText } from '../form/refusal-text.ts'
import { toCurrent } from '../list/use-admin-change.ts'
import {
  answerDraft,
  keepAnswerDraft,
  parseAnswerDraft,
  useAllTemplates,
  type useWrite,
  type Written,
} from './support.queries.ts'

type Mode = Written['mode']

interface AnswerBoxProps {
  conversation: OpenedConversation
  writing: ReturnType<typeof useWrite>
}

/**
 * Writes an answer, or a note, which looks like nothing that is sent. What is typed stays in the browser until the store
 * has it; an answer to what has changed since it was begun is only sent once the operator has said so.
 */
export function AnswerBox({ conversation, writing }: AnswerBoxProps) {
  const { t, language } = useTranslation()
  const [mode, setMode] = useState<Mode>('answer')
  const [asked, setAsked] = useState<{ current: Conversation; close: boolean }>()
  const name = answerDraft(mode, conversation.id)
  const draft = parseAnswerDraft(useStoredText('visit', name)) ?? { text: '', version: conversation.version }
  const keep = (text: string, version = draft.text === '' ? conversation.version : draft.version) =>
    keepAnswerDraft(name, { text, version })

  const isNote = mode === 'note'
  const isStale = !isNote && draft.text !== '' && draft.version < conversation.version
  const send = (close: boolean, version = draft.version) => {
    if (draft.text.trim() === '' || writing.isPending) return
    setAsked(undefined)
    const written = { mode, text: draft.text.trim(), close, version, after: conversation.messages.at(-1)?.id ?? 0 }
    writing.mutate(written, {
      onError: (error) => {
        const current = toCurrent<Conversation>(error)
        if (current) setAsked({ current, close })
      },
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    send(false)
  }
  const last = conversation.messages.find(({ id }) => id === asked?.current.last.id)
  // Who of the colleagues wrote is known once the conversation is read again.
  const author = asked?.current.last.author === 'customer' ? conversation.nickname : last?.by
  const errors = fieldTexts(t, toFieldErrors(writing.error))
  const isOther = writing.error && !errors.text && !toCurrent(writing.error)

  return (
    <Surface {...(isNote && { bg: 'color-mix(in srgb, var(--olmos-wait) 14%, var(--olmos-surface))' })}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end" gap="sm">
          <SegmentedControl
            aria-label={t('admin.support.mode')}
            value={mode}
            disabled={writing.isPending}
            onChange={(value) => {
              writing.reset()
              setMode(value as Mode)
            }}
            data={[
              { value: 'answer', label: t('admin.support.answer') },
              { value: 'note', label: t('admin.support.note') },
            ]}
          />
          {!isNote && (
            <TemplateSelect conversation={conversation} onInsert={(text) => keep(joined(draft.text, text))} />
          )}
        </Group>
        <Textarea
          label={t(isNote ? 'admin.support.noteLabel' : 'admin.support.answerLabel')}
          description={t(isNote ? 'admin.support.noteHint' : 'admin.support.answerHint')}
          autosize
          minRows={4}
          maxRows={16}
          maxLength={LIMITS.messageLengthMax}
          value={writing.isPending ? '' : draft.text}
          readOnly={writing.isPending}
          error={errors.text}
          dir="auto"
          onKeyDown={onKeyDown}
          onChange={(event) => keep(event.currentTarget.value)}
        />
        {isStale && (
          <Alert color="yellow" role="status">
            {t('admin.support.meanwhile')}
          </Alert>
        )}
        <RefusalAlert text={isOther ? refusalText({ t, language }, writing.error) : undefined} />
        <Group justify="flex-end" gap="sm">
          {!isNote && (
            <Button variant="default" disabled={draft.text.trim() === ''} onClick={() => send(true)}>
              {t('admin.support.sendAndClose')}
            </Button>
          )}
          <Button
            loading={writing.isPending}
            disabled={draft.text.trim() === '' && !writing.isPending}
            {...(!isNote && { leftSection: <IconSend size={18} /> })}
            onClick={() => send(false)}
          >
            {t(isNote ? 'admin.support.keepNote' : 'admin.support.send')}
          </Button>
        </Group>
      </Stack>
      <Dialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('admin.support.meanwhileTitle')}
        closeLabel={t('admin.form.cancel')}
      >
        {asked && (
          <Stack>
            <Text>{t('admin.support.meanwhileText')}</Text>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
              {author && (
                <>
                  <b>{author}</b>
                  {': '}
                </>
              )}
              {asked.current.last.text}
            </Text>
            <Group justify="flex-end">
              <Button variant="default" data-autofocus onClick={() => setAsked(undefined)}>
                {t('admin.form.cancel')}
              </Button>
              <Button onClick={() => send(asked.close, asked.current.version)}>{t('admin.support.sendAnyway')}</Button>
            </Group>
          </Stack>
        )}
      </Dialog>
    </Surface>
  )
}

const joined = (before: string, added: string): string =>
  before.trim() === '' ? added : `${before.trimEnd()}\n\n${added}`

interface TemplateSelectProps {
  conversation: OpenedConversation
  onInsert(text: string): void
}

/** Puts a template into the answer, in the customer's language. */
function TemplateSelect({ conversation, onInsert }: TemplateSelectProps) {
  const { t } = useTranslation()
  const { data: templates = [] } = useAllTemplates()
  if (templates.length === 0) return null
  return (
    <NativeSelect
      aria-label={t('admin.support.template')}
      value=""
      onChange={(event) => {
        const chosen = templates.find(({ id }) => String(id) === event.currentTarget.value)
        if (chosen) onInsert(fillTemplate(chosen, conversation))
      }}
      data={[
        { value: '', label: t('admin.support.template') },
        ...templates.map(({ id, title }) => ({ value: String(id), label: title })),
      ]}
    />
  )
}

/** Fills a template in. A placeholder that nothing is known for stays, and the store refuses to send it. */
function fillTemplate({ texts }: AnswerTemplate, { language, nickname, order }: OpenedConversation): string {
  const text = [texts[language], ...shownLanguages.map((other) => texts[other])].find((one) => one !== '') ?? ''
  const values: Readonly<Record<string, string | undefined>> = { nickname, order: order?.id }
  return text.replaceAll(/\{(nickname|order)\}/g, (whole, name: string) => values[name] ?? whole)
}

import { Badge, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import type { ShopTexts } from '@olmos/contract/shop'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Surface } from '../../ui/Surface.tsx'
import { FormDrawer } from '../form/FormDrawer.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { InEachLanguage, WordsInPlace } from '../front/Preview.tsx'
import { Loaded } from '../list/ListFailed.tsx'
import { Allowed } from '../shell/Allowed.tsx'
import { findTexts, findWrongMarks, toOwnWords } from './own-texts.rules.ts'
import { type BuiltInText, saveWords, shopHistory, useBuiltInTexts, useOwnTexts, type Words } from './shop.queries.ts'
import { Versions } from './Versions.tsx'

/** The texts of the pages: found by what one sees of them, put in own words, and brought back. */
export function OwnTextList() {
  const { t } = useTranslation()
  const own = useOwnTexts()
  const [edited, setEdited] = useState<BuiltInText>()
  return (
    <Surface p={{ base: 'md', sm: 'lg' }} maw={960} title={t('admin.shop.texts')}>
      <Loaded query={own} height={240}>
        {(texts) => (
          <Stack>
            <Group justify="space-between" align="flex-start">
              <Text size="sm" c="dimmed" flex="1 1 260px">
                {t('admin.shop.textsText')}
              </Text>
              <Versions history={shopHistory('texts')} />
            </Group>
            <Loaded query={useBuiltInTexts()} height={160}>
              {(all) => <FoundTexts all={all} texts={texts} onEdit={setEdited} />}
            </Loaded>
            {edited && <WordsForm text={edited} texts={texts} onClose={() => setEdited(undefined)} />}
          </Stack>
        )}
      </Loaded>
    </Surface>
  )
}

const shownAtOnce = 30

interface FoundTextsProps {
  all: readonly BuiltInText[]
  texts: ShopTexts
  onEdit(text: BuiltInText): void
}

function FoundTexts({ all, texts: { texts }, onEdit }: FoundTextsProps) {
  const { t, language } = useTranslation()
  const [search, setSearch] = useState('')
  const found = findTexts(all, texts, search)
  return (
    <>
      <TextInput
        type="search"
        label={t('admin.shop.search')}
        leftSection={<IconSearch size={18} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status">
        {search.trim() === ''
          ? t('admin.shop.ownCount', { count: found.length })
          : t('admin.list.total', { count: found.length })}
      </Text>
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {found.slice(0, shownAtOnce).map((text) => {
          const words = toOwnWords(texts, text.key)
          return (
            <Group key={text.key} component="li" justify="space-between" wrap="nowrap" gap="sm">
              <div>
                <Text>{words[language] || text.words[language]}</Text>
                <Text size="xs" c="dimmed">
                  {text.key}
                </Text>
              </div>
              <Group gap="xs" wrap="nowrap">
                {languages.some((one) => words[one] !== '') && <Badge variant="light">{t('admin.shop.own')}</Badge>}
                <Allowed to="settings.write">
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={t('admin.list.edit', { name: text.words[language] || text.key })}
                    onClick={() => onEdit(text)}
                  >
                    {t('admin.shop.edit')}
                  </Button>
                </Allowed>
              </Group>
            </Group>
          )
        })}
      </Stack>
      {found.length > shownAtOnce && (
        <Text size="sm" c="dimmed">
          {t('admin.shop.more')}
        </Text>
      )}
    </>
  )
}

function WordsForm({ text, texts, onClose }: { text: BuiltInText; texts: ShopTexts; onClose(): void }) {
  const { t, language } = useTranslation()
  const saving = useAdminForm<Words, ShopTexts>({
    noun: 'shop',
    row: texts,
    toValues: (row = texts) => toOwnWords(row.texts, text.key),
    send: (words, version) => saveWords(text.key, words, version),
    done: t('admin.shop.textSaved'),
    validate: (words) => findWrongMarks(text.words, words),
    onSaved: onClose,
  })
  return (
    <FormDrawer title={text.words[language] || text.key} onClose={onClose} form={saving} labels={languageNames}>
      <Text size="sm" c="dimmed">
        {t('admin.shop.wordsText')}
      </Text>
      {languages.map((one) => (
        <Textarea
          key={one}
          lang={one}
          autosize
          minRows={2}
          maxLength={LIMITS.ownTextMax}
          label={languageNames[one]}
          description={text.words[one]}
          placeholder={text.words[one]}
          {...saving.form.getInputProps(one)}
        />
      ))}
      <Text fw={600}>{t('admin.pages.preview')}</Text>
      <InEachLanguage>
        {(one) => <WordsInPlace typed={{ text, words: saving.form.values }} language={one} />}
      </InEachLanguage>
    </FormDrawer>
  )
}

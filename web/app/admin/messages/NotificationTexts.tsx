import { Stack, Text, Textarea } from '@mantine/core'
import { alertTitles } from '@olmos/contract/alert-titles'
import { type Language, languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { fillNotification, fillOperatorText, type TextSection, textsOfStore } from '@olmos/contract/notification-texts'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { LanguageTabs } from '../form/LanguageTabs.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { shopHistory } from '../shop/shop.queries.ts'
import { Versions } from '../shop/Versions.tsx'
import {
  saveTexts,
  type TextName,
  type TextSettings,
  type TextValues,
  toTextNames,
  toTextValues,
} from './messages.queries.ts'

interface NotificationTextsProps {
  section: TextSection
  settings: TextSettings
  shopName: string
}

/** What customers or operators are told by Telegram and e-mail, in the owner's words; a blank text is that of the store. */
export function NotificationTexts({ section, settings, shopName }: NotificationTextsProps) {
  const { t } = useTranslation()
  const saving = useAdminForm<TextValues, TextSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => toTextValues(section, row),
    send: (values, version) => saveTexts(section, values, version),
  })
  const { form } = saving
  const names = toTextNames(section)
  const placeholders: Readonly<Record<string, readonly string[]>> = textsOfStore[section].placeholders
  const toLabel = (name: TextName) => t(`admin.messages.notificationText.${name}`)
  const labels = Object.fromEntries(
    languages.flatMap((language) =>
      names.map((name) => [`texts.${language}.${name}`, `${toLabel(name)}, ${languageNames[language]}`]),
    ),
  )
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id={`${section}-texts`}
      labels={labels}
      aside={<Versions history={shopHistory(section)} />}
    >
      <LanguageTabs
        isWrong={(language) => Object.keys(form.errors).some((path) => path.startsWith(`texts.${language}.`))}
      >
        {(language) => (
          <Stack gap="lg">
            {names.map((name) => (
              <Stack key={name} gap={4}>
                <Textarea
                  lang={language}
                  autosize
                  minRows={2}
                  maxLength={LIMITS.notificationTextMax}
                  label={toLabel(name)}
                  description={t('admin.messages.placeholders', {
                    list: (placeholders[name] ?? []).map((known) => `{${known}}`).join(', '),
                  })}
                  placeholder={toStoreText(section, language, name)}
                  {...form.getInputProps(`texts.${language}.${name}`)}
                />
                <Preview
                  section={section}
                  name={name}
                  language={language}
                  words={form.values.texts[language][name]?.trim() || toStoreText(section, language, name)}
                  shopName={shopName}
                />
              </Stack>
            ))}
          </Stack>
        )}
      </LanguageTabs>
    </SettingsForm>
  )
}

function toStoreText(section: TextSection, language: Language, name: TextName): string {
  const texts: Readonly<Record<string, string>> = textsOfStore[section].texts[language]
  return texts[name] ?? ''
}

const sampleOrder = '7ZK3M9Q2XB'
const sampleAlert = 'supplier.out'
const sampleCount = 3
const samplePages: Record<TextName, string> = {
  answered: '/support/17',
  delivered: `/orders/${sampleOrder}`,
  refunded: `/orders/${sampleOrder}`,
  visitor: '/support',
  decline: '/notifications#17',
  raised: `/admin/alerts?state=open&search=${sampleAlert}`,
  reminder: `/admin/alerts?state=open&search=${sampleAlert}`,
  resolved: `/admin/alerts?state=resolved&search=${sampleAlert}`,
}

interface PreviewProps {
  section: TextSection
  name: TextName
  language: Language
  words: string
  shopName: string
}

/** Shows a text as it will be read, with an order or an alert that is made up. */
function Preview({ section, name, language, words, shopName }: PreviewProps) {
  const { t } = useTranslation()
  const sample = { shop: shopName, link: `${window.location.origin}${samplePages[name]}` }
  const { subject, text } =
    section === 'operators'
      ? fillOperatorText(words, { ...sample, title: alertTitles[language][sampleAlert], count: sampleCount })
      : fillNotification(words, { ...sample, order: sampleOrder })
  return (
    <section aria-label={t('admin.messages.previewOf', { name: t(`admin.messages.notificationText.${name}`) })}>
      {name !== 'decline' && (
        <Text size="xs" c="dimmed">
          {t('admin.messages.subject', { subject })}
        </Text>
      )}
      <Text size="sm" lang={language} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </section>
  )
}

import { Stack, Text, Textarea } from '@mantine/core'
import { type Language, languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import {
  fillNotification,
  type NotificationSettings,
  type NotificationTextName,
  notificationPlaceholders,
  notificationTextNames,
  notificationTexts,
} from '@olmos/contract/notification-texts'
import { languageNames } from '../../i18n/languages.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { LanguageTabs } from '../form/LanguageTabs.tsx'
import { SettingsForm } from '../form/SettingsForm.tsx'
import { useAdminForm } from '../form/use-admin-form.ts'
import { shopHistory } from '../shop/shop.queries.ts'
import { Versions } from '../shop/Versions.tsx'
import { type NotificationTextValues, saveNotificationTexts, toNotificationTextValues } from './messages.queries.ts'

interface NotificationTextsProps {
  settings: NotificationSettings
  shopName: string
}

/** What customers are told by Telegram and e-mail, in the owner's words; a blank text is that of the store. */
export function NotificationTexts({ settings, shopName }: NotificationTextsProps) {
  const { t } = useTranslation()
  const saving = useAdminForm<NotificationTextValues, NotificationSettings>({
    noun: 'shop',
    row: settings,
    toValues: (row = settings) => toNotificationTextValues(row),
    send: saveNotificationTexts,
  })
  const { form } = saving
  const toLabel = (name: NotificationTextName) => t(`admin.messages.notificationText.${name}`)
  const labels = Object.fromEntries(
    languages.flatMap((language) =>
      notificationTextNames.map((name) => [
        `texts.${language}.${name}`,
        `${toLabel(name)}, ${languageNames[language]}`,
      ]),
    ),
  )
  return (
    <SettingsForm
      form={saving}
      permission="settings.write"
      id="notification-texts"
      labels={labels}
      aside={<Versions history={shopHistory('notifications')} />}
    >
      <LanguageTabs
        isWrong={(language) => Object.keys(form.errors).some((path) => path.startsWith(`texts.${language}.`))}
      >
        {(language) => (
          <Stack gap="lg">
            {notificationTextNames.map((name) => (
              <Stack key={name} gap={4}>
                <Textarea
                  lang={language}
                  autosize
                  minRows={2}
                  maxLength={LIMITS.notificationTextMax}
                  label={toLabel(name)}
                  description={t('admin.messages.placeholders', {
                    list: notificationPlaceholders[name].map((known) => `{${known}}`).join(', '),
                  })}
                  placeholder={notificationTexts[language][name]}
                  {...form.getInputProps(`texts.${language}.${name}`)}
                />
                <Preview
                  name={name}
                  language={language}
                  words={form.values.texts[language][name].trim()}
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

const sampleOrder = '7ZK3M9Q2XB'
const samplePages: Record<NotificationTextName, string> = {
  answered: '/support/17',
  delivered: `/orders/${sampleOrder}`,
  refunded: `/orders/${sampleOrder}`,
  visitor: '/support',
  decline: '/notifications#17',
}

interface PreviewProps {
  name: NotificationTextName
  language: Language
  /** Blank: the text of the store. */
  words: string
  shopName: string
}

/** Shows a text as it will be read, with an order that is made up. */
function Preview({ name, language, words, shopName }: PreviewProps) {
  const { t } = useTranslation()
  const { subject, text } = fillNotification(words || notificationTexts[language][name], {
    shop: shopName,
    order: sampleOrder,
    link: `${window.location.origin}${samplePages[name]}`,
  })
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

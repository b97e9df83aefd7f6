import type { AlertKind } from '@olmos/contract/alerts'
import { type Language, languages } from '@olmos/contract/fields'
import type { ListedMessage, MessageChannel, messagesApi, Recipient, ShopChannel } from '@olmos/contract/messages'
import {
  type NotificationSettings,
  type NotificationTextName,
  type notificationTextsApi,
  type OperatorTextName,
  type OperatorTextSettings,
  type TextSection,
  textsOfStore,
} from '@olmos/contract/notification-texts'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminList, useAdminRead } from '../list/use-admin-list.ts'
import { type ProviderValues, typedSettings } from '../payment-methods/payment-methods.queries.ts'

const channels = caller<typeof messagesApi.channels>('GET /admin/message-channels')
const setChannel = caller<typeof messagesApi.setChannel>('PUT /admin/message-channels/:channel')
const recipients = caller<typeof messagesApi.recipients>('GET /admin/message-recipients')
const addRecipient = caller<typeof messagesApi.addRecipient>('POST /admin/message-recipients')
const changeRecipient = caller<typeof messagesApi.changeRecipient>('PUT /admin/message-recipients/:id')
const remove = caller<typeof messagesApi.removeRecipient>('DELETE /admin/message-recipients/:id')
const test = caller<typeof messagesApi.test>('POST /admin/message-recipients/:id/test')
const list = caller<typeof messagesApi.list>('GET /admin/messages')
const notificationTexts = caller<typeof notificationTextsApi.read>('GET /admin/notification-texts')
const setNotificationTexts = caller<typeof notificationTextsApi.change>('PUT /admin/notification-texts')
const operatorTexts = caller<typeof notificationTextsApi.readForOperators>('GET /admin/operator-texts')
const setOperatorTexts = caller<typeof notificationTextsApi.changeForOperators>('PUT /admin/operator-texts')
const retry = caller<typeof messagesApi.retry>('POST /admin/messages/:id/retry')

export const useShopChannels = () => useAdminRead(queryKeys.admin.noun('messages', 'channels'), channels, {})

/** All of them: there are a few. */
export const useRecipients = () =>
  useAdminRead(queryKeys.admin.noun('messages', 'recipients'), recipients, {
    query: { pageSize: '200', sort: 'name', order: 'asc' },
  })

export const useMessages = () => useAdminList<ListedMessage>({ noun: 'messages', load: list, filters: ['state'] })

/** Sections of what the shop says, so they are read again when one of those is brought back. */
export const useNotificationTexts = () =>
  useAdminRead(queryKeys.admin.noun('shop', 'notifications'), notificationTexts, {})

export const useOperatorTexts = () => useAdminRead(queryKeys.admin.noun('shop', 'operators'), operatorTexts, {})

export type TextSettings = NotificationSettings | OperatorTextSettings

export type TextName = NotificationTextName | OperatorTextName

/** The texts of a section, in the order in which they are edited. */
export const toTextNames = (section: TextSection) => Object.keys(textsOfStore[section].placeholders) as TextName[]

/** The values of the form; blank where the store's own text stands. */
export type TextValues = { texts: Record<Language, Record<string, string>> }

const byLanguage = <Words>(make: (language: Language) => Words): Record<Language, Words> => ({
  ru: make('ru'),
  en: make('en'),
  uz: make('uz'),
})

export const toTextValues = (section: TextSection, { texts }: TextSettings): TextValues => ({
  texts: byLanguage((language) => {
    const own: Readonly<Record<string, string>> = { ...texts[language] }
    return Object.fromEntries(toTextNames(section).map((name) => [name, own[name] ?? '']))
  }),
})

const setTexts = { notifications: setNotificationTexts, operators: setOperatorTexts }

export function saveTexts(
  section: TextSection,
  { texts }: TextValues,
  version: number | undefined,
): Promise<{ data: TextSettings }> {
  const typed = (language: Language) =>
    Object.fromEntries(
      Object.entries(texts[language]).flatMap(([name, words]) => (words.trim() ? [[name, words.trim()]] : [])),
    )
  const own = byLanguage(typed)
  const spoken = languages.filter((language) => Object.keys(own[language]).length > 0)
  return setTexts[section]({
    body: {
      texts: Object.fromEntries(spoken.map((language) => [language, own[language]])),
      ...(version && { version }),
    },
  })
}

export const saveChannel = (channel: ShopChannel, values: ProviderValues, version: number | undefined) =>
  setChannel({
    params: { channel: channel.name },
    body: { settings: typedSettings(channel, values), ...(version && { version }) },
  })

export const clearChannel = ({ name, version }: ShopChannel) =>
  setChannel({ params: { channel: name }, body: { settings: null, version } })

export interface RecipientValues extends Record<string, unknown> {
  name: string
  channel: MessageChannel
  address: string
  language: Language
  /** None: all kinds. */
  alert_kinds: string[]
  /** Blank: there are none. */
  quiet_hours: { from: string; to: string }
  is_on: boolean
}

export function saveRecipient(
  recipient: Recipient | undefined,
  { channel, alert_kinds, quiet_hours, ...values }: RecipientValues,
  version: number | undefined,
) {
  const wish = {
    ...values,
    alert_kinds: alert_kinds.length > 0 ? (alert_kinds as AlertKind[]) : null,
    quiet_hours: quiet_hours.from || quiet_hours.to ? quiet_hours : null,
  }
  return recipient
    ? changeRecipient({ params: { id: String(recipient.id) }, body: { ...wish, ...(version && { version }) } })
    : addRecipient({ body: { ...wish, channel } })
}

export const removeRecipient = ({ id }: Recipient) => remove({ params: { id: String(id) } })

export const sendTest = ({ id }: Recipient) => test({ params: { id: String(id) }, body: {} })

export const retryMessage = ({ id }: ListedMessage) => retry({ params: { id: String(id) }, body: {} })

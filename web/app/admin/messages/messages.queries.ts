import type { AlertKind } from '@olmos/contract/alerts'
import { type Language, languages } from '@olmos/contract/fields'
import type { ListedMessage, MessageChannel, messagesApi, Recipient, ShopChannel } from '@olmos/contract/messages'
import {
  type NotificationSettings,
  type NotificationTextName,
  notificationTextNames,
  type notificationTextsApi,
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
const retry = caller<typeof messagesApi.retry>('POST /admin/messages/:id/retry')

export const useShopChannels = () => useAdminRead(queryKeys.admin.noun('messages', 'channels'), channels, {})

/** All of them: there are a few. */
export const useRecipients = () =>
  useAdminRead(queryKeys.admin.noun('messages', 'recipients'), recipients, {
    query: { pageSize: '200', sort: 'name', order: 'asc' },
  })

export const useMessages = () => useAdminList<ListedMessage>({ noun: 'messages', load: list, filters: ['state'] })

/** A section of what the shop says, so it is read again when one of those is brought back. */
export const useNotificationTexts = () =>
  useAdminRead(queryKeys.admin.noun('shop', 'notifications'), notificationTexts, {})

/** The values of the form; blank where the store's own text stands. */
export type NotificationTextValues = { texts: Record<Language, Record<NotificationTextName, string>> }

const byLanguage = <Words>(make: (language: Language) => Words): Record<Language, Words> => ({
  ru: make('ru'),
  en: make('en'),
  uz: make('uz'),
})

export const toNotificationTextValues = ({ texts }: NotificationSettings): NotificationTextValues => ({
  texts: byLanguage((language) => {
    const { answered = '', delivered = '', refunded = '', visitor = '', decline = '' } = texts[language] ?? {}
    return { answered, delivered, refunded, visitor, decline }
  }),
})

export function saveNotificationTexts({ texts }: NotificationTextValues, version: number | undefined) {
  const typed = (language: Language) =>
    Object.fromEntries(
      notificationTextNames.map((name) => [name, texts[language][name].trim()]).filter(([, words]) => words !== ''),
    )
  const own = byLanguage(typed)
  const spoken = languages.filter((language) => Object.keys(own[language]).length > 0)
  return setNotificationTexts({
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

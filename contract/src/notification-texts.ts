import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { type Language, languageSchema, text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import type { NotificationKind } from './notifications.ts'

interface TextsOfStore<Name extends string> {
  /** What may stand in braces in each of them. There is none for what is secret: the page behind the link asks for the login. */
  placeholders: Readonly<Record<Name, readonly string[]>>
  /** The texts of the store, in force where the owner has none. */
  texts: Readonly<Record<Language, Readonly<Record<Name, string>>>>
}

/**
 * The texts of what customers are told: one for each kind, one for visitors whose question was answered, and what stands under
 * a customer's with the link that ends that kind.
 */
export type NotificationTextName = NotificationKind | 'visitor' | 'decline'

const notifications: TextsOfStore<NotificationTextName> = {
  placeholders: {
    answered: ['shop', 'link'],
    delivered: ['shop', 'order', 'link'],
    refunded: ['shop', 'order', 'link'],
    visitor: ['shop', 'link'],
    decline: ['shop', 'link'],
  },
  texts: {
    ru: {
      answered: '{shop}: Поддержка ответила вам\n{link}',
      delivered: '{shop}: Заказ {order} выполнен\n{link}',
      refunded: '{shop}: По заказу {order} возвращены деньги\n{link}',
      visitor:
        '{shop}: Поддержка ответила вам\nОткройте ссылку, которую получили, когда писали нам, или напишите ещё раз:\n{link}',
      decline: 'Больше не присылать такие уведомления: {link}',
    },
    en: {
      answered: '{shop}: Support has answered you\n{link}',
      delivered: '{shop}: Order {order} is completed\n{link}',
      refunded: '{shop}: Money is refunded for order {order}\n{link}',
      visitor:
        '{shop}: Support has answered you\nOpen the link you were given when you asked, or write to us again:\n{link}',
      decline: 'No more notifications like this: {link}',
    },
    uz: {
      answered: '{shop}: Qoʻllab-quvvatlash sizga javob berdi\n{link}',
      delivered: '{shop}: {order} buyurtma bajarildi\n{link}',
      refunded: '{shop}: {order} buyurtma boʻyicha pul qaytarildi\n{link}',
      visitor:
        '{shop}: Qoʻllab-quvvatlash sizga javob berdi\nBizga yozganingizda berilgan havolani oching yoki yana yozing:\n{link}',
      decline: 'Bunday xabarlar boshqa kelmasin: {link}',
    },
  },
}

/** The texts by which operators learn that an alert was raised, is still open, and is over. */
export type OperatorTextName = 'raised' | 'reminder' | 'resolved'

const told = ['shop', 'title', 'count', 'link'] as const

const operators: TextsOfStore<OperatorTextName> = {
  placeholders: { raised: told, reminder: told, resolved: told },
  texts: {
    ru: {
      raised: '{shop}: {title}\nПроблем: {count}\n{link}',
      reminder: '{shop}: Всё ещё не решено: {title}\nПроблем: {count}\n{link}',
      resolved: '{shop}: Решено: {title}\nПроблем: {count}\n{link}',
    },
    en: {
      raised: '{shop}: {title}\nAlerts: {count}\n{link}',
      reminder: '{shop}: Still not resolved: {title}\nAlerts: {count}\n{link}',
      resolved: '{shop}: Resolved: {title}\nAlerts: {count}\n{link}',
    },
    uz: {
      raised: '{shop}: {title}\nOgohlantirishlar: {count}\n{link}',
      reminder: '{shop}: Hali hal boʻlmadi: {title}\nOgohlantirishlar: {count}\n{link}',
      resolved: '{shop}: Hal boʻldi: {title}\nOgohlantirishlar: {count}\n{link}',
    },
  },
}

/** What is sent by Telegram and e-mail, by whom it is for; each is a section of the shop's settings, with versions of its own. */
export const textsOfStore = { notifications, operators }
export type TextSection = keyof typeof textsOfStore

/** Fills in what stands in braces, once: braces in a value stay as they are. */
export const fillPlaceholders = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

interface Filled extends Readonly<Record<string, string>> {
  shop: string
  link: string
}

/** Fills a text in. The subject of a mail is its first line without the link, or the name of the shop where nothing else is there. */
export function fillNotification(template: string, values: Filled): { subject: string; text: string } {
  const [first = ''] = template.split('\n')
  const subject = fillPlaceholders(first, { ...values, link: '' }).replace(/[\s:–—-]+$/, '')
  return { subject: subject || values.shop, text: fillPlaceholders(template, values) }
}

const linesOfOne = (template: string): string =>
  template
    .split('\n')
    .filter((line) => !line.includes('{count}'))
    .join('\n')

/** Fills in what operators are told: lines with the number of alerts are left out where it is one. */
export const fillOperatorText = (
  template: string,
  { count, ...values }: { shop: string; title: string; count: number; link: string },
): { subject: string; text: string } =>
  fillNotification(count > 1 ? template : linesOfOne(template), { ...values, count: String(count) })

/** What nobody sees but a line's end: control characters, and marks that turn the direction of text around. */
const controls = /[^\P{Cc}\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

const ownText = (placeholders: readonly string[]) =>
  text(1, LIMITS.notificationTextMax)
    .refine((value) => !controls.test(value), 'invalid_text')
    .refine((value) => {
      const filled = Object.fromEntries(placeholders.map((known) => [known, '']))
      return !/[{}]/.test(fillPlaceholders(value, filled))
    }, 'wrong_placeholder')
    .refine((value) => linesOfOne(value).includes('{link}'), 'link_missing')

type OwnTexts<Name extends string> = { [Each in Name]: z.ZodOptional<ReturnType<typeof ownText>> }

/** The owner's own texts, by language; where one is left out, that of the store is in force. */
function ownTexts<Name extends string>({ placeholders }: TextsOfStore<Name>) {
  const texts = Object.entries<readonly string[]>(placeholders).map(([name, known]) => [
    name,
    ownText(known).optional(),
  ])
  return z.partialRecord(languageSchema, z.strictObject(Object.fromEntries(texts) as OwnTexts<Name>))
}

export const ownNotificationTexts = ownTexts(notifications)
export const ownOperatorTexts = ownTexts(operators)

const versionOfTexts = { version, changed_at: time, changed_by: z.string().nullable() }

const notificationSettings = z.object({ texts: ownNotificationTexts, ...versionOfTexts })
export type NotificationSettings = z.infer<typeof notificationSettings>

const operatorSettings = z.object({ texts: ownOperatorTexts, ...versionOfTexts })
export type OperatorTextSettings = z.infer<typeof operatorSettings>

export const notificationTextsApi = {
  read: adminEndpoint('GET /admin/notification-texts', {
    operationId: 'readNotificationTexts',
    permission: 'settings.read',
    summary: 'The owner’s own texts of what customers are told by Telegram and e-mail',
    answer: toData(notificationSettings),
  }),
  change: adminEndpoint('PUT /admin/notification-texts', {
    operationId: 'changeNotificationTexts',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets all own texts of what customers are told; one that is left out is that of the store again',
    body: z.strictObject({ texts: ownNotificationTexts, version: version.optional() }),
    answer: toData(notificationSettings),
    confirmed: true,
  }),
  readForOperators: adminEndpoint('GET /admin/operator-texts', {
    operationId: 'readOperatorTexts',
    permission: 'settings.read',
    summary: 'The owner’s own texts of what operators are told of alerts by Telegram and e-mail',
    answer: toData(operatorSettings),
  }),
  changeForOperators: adminEndpoint('PUT /admin/operator-texts', {
    operationId: 'changeOperatorTexts',
    permission: 'settings.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Sets all own texts of what operators are told; one that is left out is that of the store again',
    body: z.strictObject({ texts: ownOperatorTexts, version: version.optional() }),
    answer: toData(operatorSettings),
    confirmed: true,
  }),
}

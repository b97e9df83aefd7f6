import { z } from 'zod'
import { adminEndpoint } from './endpoint.ts'
import { type Language, languageSchema, text, time, toData, version } from './fields.ts'
import * as LIMITS from './limits.ts'
import { notificationKinds } from './notifications.ts'

/**
 * The texts of what customers are told: one for each kind, one for visitors whose question was answered, and what stands under
 * a customer's with the link that ends that kind.
 */
export const notificationTextNames = [...notificationKinds, 'visitor', 'decline'] as const
export type NotificationTextName = (typeof notificationTextNames)[number]

/** What may stand in braces in each of them. There is none for what is secret: the page behind the link asks for the login. */
export const notificationPlaceholders: Readonly<Record<NotificationTextName, readonly string[]>> = {
  answered: ['shop', 'link'],
  delivered: ['shop', 'order', 'link'],
  refunded: ['shop', 'order', 'link'],
  visitor: ['shop', 'link'],
  decline: ['shop', 'link'],
}

/** The texts of the store, in force where the owner has none. */
export const notificationTexts: Readonly<Record<Language, Readonly<Record<NotificationTextName, string>>>> = {
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
}

/** Fills in what stands in braces, once: braces in a value stay as they are. */
export const fillPlaceholders = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** Fills a text in. The subject of a mail is its first line without the link, or the name of the shop where nothing else is there. */
export function fillNotification(
  template: string,
  values: Readonly<Record<'shop' | 'order' | 'link', string>>,
): { subject: string; text: string } {
  const [first = ''] = template.split('\n')
  const subject = fillPlaceholders(first, { ...values, link: '' }).replace(/[\s:–—-]+$/, '')
  return { subject: subject || values.shop, text: fillPlaceholders(template, values) }
}

/** What nobody sees but a line's end: control characters, and marks that turn the direction of text around. */
const controls = /[^\P{Cc}\n]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

const ownText = (name: NotificationTextName) =>
  text(1, LIMITS.notificationTextMax)
    .refine((value) => !controls.test(value), 'invalid_text')
    .refine((value) => {
      const filled = Object.fromEntries(notificationPlaceholders[name].map((known) => [known, '']))
      return !/[{}]/.test(fillPlaceholders(value, filled))
    }, 'wrong_placeholder')
    .refine((value) => value.includes('{link}'), 'link_missing')

type OwnTexts = { [Name in NotificationTextName]: z.ZodOptional<ReturnType<typeof ownText>> }
const ownTexts = Object.fromEntries(notificationTextNames.map((name) => [name, ownText(name).optional()])) as OwnTexts

/** The owner's own texts, by language; where one is left out, that of the store is in force. */
export const ownNotificationTexts = z.partialRecord(languageSchema, z.strictObject(ownTexts))

const notificationSettings = z.object({
  texts: ownNotificationTexts,
  version,
  changed_at: time,
  changed_by: z.string().nullable(),
})
export type NotificationSettings = z.infer<typeof notificationSettings>

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
}

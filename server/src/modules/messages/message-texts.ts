import { alertTitles } from '@olmos/contract/alert-titles'
import type { Language } from '@olmos/contract/fields'
import type { MessagePayload } from '@olmos/contract/messages'

/** What messages say in each language, besides the titles of alerts. */
const texts = {
  ru: {
    raised: '{title}',
    reminder: 'Всё ещё не решено: {title}',
    resolved: 'Решено: {title}',
    count: 'Проблем: {count}',
    test: 'Проверка связи',
    testText: 'Сюда будут приходить уведомления магазина.',
  },
  en: {
    raised: '{title}',
    reminder: 'Still not resolved: {title}',
    resolved: 'Resolved: {title}',
    count: 'Alerts: {count}',
    test: 'Test message',
    testText: 'The store’s messages will arrive here.',
  },
  uz: {
    raised: '{title}',
    reminder: 'Hali hal boʻlmadi: {title}',
    resolved: 'Hal boʻldi: {title}',
    count: 'Ogohlantirishlar: {count}',
    test: 'Sinov xabari',
    testText: 'Doʻkon xabarlari shu yerga keladi.',
  },
} as const satisfies Record<Language, Record<string, string>>

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

const topics = { 'alert.raised': 'raised', 'alert.reminder': 'reminder', 'alert.resolved': 'resolved' } as const

interface Sender {
  shopName: string
  publicUrl: string
}

/** Writes a message: what happened, how often, and the page where the rest is seen by who is let in. */
export function writeMessage(
  payload: MessagePayload,
  language: Language,
  { shopName, publicUrl }: Sender,
): { subject: string; text: string } {
  const own = texts[language]
  if (payload.kind === 'test') {
    return {
      subject: `${shopName}: ${own.test}`,
      text: [`${shopName}: ${own.test}`, own.testText, `${publicUrl}/admin/messages`].join('\n'),
    }
  }
  const { alert_kind, count } = payload
  const titles: Readonly<Record<string, string>> = alertTitles[language]
  const headline = fill(own[topics[payload.kind]], { title: titles[alert_kind] ?? alert_kind })
  const state = payload.kind === 'alert.resolved' ? 'resolved' : 'open'
  const link = `${publicUrl}/admin/alerts?${new URLSearchParams({ state, search: alert_kind })}`
  return {
    subject: `${shopName}: ${headline}`,
    text: [`${shopName}: ${headline}`, ...(count > 1 ? [fill(own.count, { count: String(count) })] : []), link].join(
      '\n',
    ),
  }
}

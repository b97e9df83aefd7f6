import type { Language } from '@olmos/contract/fields'

/** Browsers know no Uzbek months: Chromium would write M11. */
const uzbekMonths = ['yan', 'fev', 'mart', 'apr', 'may', 'iyun', 'iyul', 'avg', 'sen', 'okt', 'noy', 'dek']

const locales: Record<Exclude<Language, 'uz'>, string> = { ru: 'ru-RU', en: 'en-GB' }

/** A moment as the customer's clock shows it. Only where the browser renders: a server has another clock. */
export function formatMoment(at: string, language: Language): string {
  const moment = new Date(at)
  if (language === 'uz') {
    const day = `${moment.getDate()}-${uzbekMonths[moment.getMonth()]} ${moment.getFullYear()}`
    return `${day}, ${formatTimeOfDay(at)}`
  }
  const text = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(moment)
  // The year says by itself that it is one.
  return text.replace(/\sг\./, '')
}

const nearDays: Record<Language, readonly [today: string, yesterday: string]> = {
  ru: ['сегодня', 'вчера'],
  en: ['today', 'yesterday'],
  uz: ['bugun', 'kecha'],
}

const startOfDay = (moment: Date): number => new Date(moment).setHours(0, 0, 0, 0)
// A day of a change of clocks is an hour longer or shorter.
const longestDayMs = 25 * 3_600_000

/** Formats a moment as people say it: `today, 00:34`; the year stands there when it was another one. */
export function formatRecent(at: string, now: number, language: Language): string {
  const [moment, today] = [new Date(at), new Date(now)]
  const passedMs = startOfDay(today) - startOfDay(moment)
  const [isToday, isYesterday] = [passedMs === 0, passedMs > 0 && passedMs <= longestDayMs]
  const [todayText, yesterdayText] = nearDays[language]
  if (isToday || isYesterday) return `${isToday ? todayText : yesterdayText}, ${formatTimeOfDay(at)}`
  if (moment.getFullYear() !== today.getFullYear()) return formatMoment(at, language)
  if (language === 'uz') return `${moment.getDate()}-${uzbekMonths[moment.getMonth()]}, ${formatTimeOfDay(at)}`
  const day = new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short' }).format(moment)
  return `${day}, ${formatTimeOfDay(at)}`
}

/** Formats a moment by its time of day alone where the others are of that day too, or as people say it. */
export function formatAmong(at: string, others: readonly string[], language: Language): string {
  const day = startOfDay(new Date(at))
  if (others.every((other) => startOfDay(new Date(other)) === day)) return formatTimeOfDay(at)
  return formatRecent(at, Date.now(), language)
}

/** The day of a moment by the clock of who looks, as `formatDay` and fields of days take it: '2026-11-20'. */
export const toLocalDay = (moment: Date): string =>
  [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

/** Formats a day such as '2026-11-20', which is of no time zone. */
export function formatDay(day: string, language: Language): string {
  const date = new Date(`${day}T00:00:00Z`)
  if (language === 'uz') return `${date.getUTCDate()}-${uzbekMonths[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  const text = new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(date)
  return text.replace(/\sг\./, '')
}

/** Formats the time of day by the customer's clock; all three languages use 24 hours. */
export const formatTimeOfDay = (at: string): string =>
  new Intl.DateTimeFormat('ru-RU', { timeStyle: 'short' }).format(new Date(at))

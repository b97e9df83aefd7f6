import type { Language } from '@olmos/contract/fields'

/** From the largest; how many seconds one has, and what Uzbek calls it. */
const units = [
  { unit: 'year', seconds: 31_556_952, uz: 'yil' },
  { unit: 'month', seconds: 2_629_746, uz: 'oy' },
  { unit: 'day', seconds: 86_400, uz: 'kun' },
  { unit: 'hour', seconds: 3_600, uz: 'soat' },
  { unit: 'minute', seconds: 60, uz: 'daqiqa' },
] as const

/** How long ago a moment was, or how soon it comes, in its largest whole unit. Within a minute of now it is now. */
export function formatAgo(at: string, now: number, language: Language): string {
  const seconds = (new Date(at).getTime() - now) / 1_000
  const size = units.find((unit) => Math.abs(seconds) >= unit.seconds)
  const count = size ? Math.trunc(seconds / size.seconds) : 0
  // Chromium knows no Uzbek: it would write "-5 min".
  if (language === 'uz') {
    if (!size) return 'hozir'
    return count < 0 ? `${-count} ${size.uz} oldin` : `${count} ${size.uz}dan keyin`
  }
  const format = new Intl.RelativeTimeFormat(language, { numeric: size ? 'always' : 'auto' })
  return format.format(count, size?.unit ?? 'second')
}

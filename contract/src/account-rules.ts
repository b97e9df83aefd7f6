/** What the server and the browser judge an account by. Loads no schemas into the page. */

interface JudgedField {
  type: 'digits' | 'text' | 'login' | 'select' | 'phone'
  /** A regular expression for the whole value; blank for none. */
  pattern: string
  length_min: number
  length_max: number
  options: readonly { value: string }[]
}

/** What is wrong with the value of a field. */
export type AccountFault =
  | 'required'
  | 'too_short'
  | 'too_long'
  | 'invalid_format'
  | 'invalid_option'
  | 'mixed_alphabets'

const formats: Readonly<Record<JudgedField['type'], RegExp>> = {
  digits: /^\d+$/,
  login: /^[\w.@-]+$/,
  phone: /^\+\d{7,15}$/,
  // Nothing invisible: two accounts that look the same are the same.
  text: /^[^\p{C}\p{Zl}\p{Zp}]+$/u,
  select: /^/,
}

/** Letters of several of these in one word are somebody pretending to be somebody else. */
const alphabets = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]

const isMixed = (text: string): boolean =>
  (text.match(/\p{L}+/gu) ?? []).some((word) => alphabets.filter((alphabet) => alphabet.test(word)).length > 1)

export const withoutZeros = (playerId: string): string => playerId.replace(/^0+(?=\d)/, '')

/** Writes a value as it is kept: digits without leading zeros, a phone number without spaces. */
export function normaliseValue(type: JudgedField['type'], value: string): string {
  if (type === 'digits') return withoutZeros(value)
  if (type === 'phone') return `+${value.replace(/^\+|[\s()-]/g, '')}`
  return value.normalize('NFC')
}

/** Judges a value that is there, and normalised; undefined when nothing is wrong with it. */
export function findValueFault(field: JudgedField, value: string): AccountFault | undefined {
  const { type, pattern, length_min, length_max, options } = field
  if (type === 'select') return options.some((option) => option.value === value) ? undefined : 'invalid_option'
  if (value.length > length_max) return 'too_long'
  if (value.length < length_min) return 'too_short'
  if (!formats[type].test(value)) return 'invalid_format'
  if (type === 'text' && isMixed(value)) return 'mixed_alphabets'
  return pattern === '' || new RegExp(`^(?:${pattern})$`, 'u').test(value) ? undefined : 'invalid_format'
}

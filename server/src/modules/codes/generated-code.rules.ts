import { randomInt } from 'node:crypto'

/** No two signs that look alike: no 0 and O, no 1, I and L, no 2 and Z, no 5 and S, no 8 and B, no U beside V. */
const signs = 'ACDEFGHJKMNPQRTVWXY34679'
const groups = 5
const groupLength = 4
/** 24 to the power of these is more than 2 to the power of 91. */
const randomLength = groups * groupLength

/** A code nobody can guess: 'FF-7KQM-ACDE-4T9X-HJPR-WY36', or without a prefix the groups alone. */
export function newGeneratedCode(prefix: string): string {
  const random = Array.from({ length: randomLength }, () => signs[randomInt(signs.length)]).join('')
  return spelled(prefix.toUpperCase(), random)
}

const spelled = (prefix: string, random: string): string =>
  [...(prefix ? [prefix] : []), ...(random.match(new RegExp(`.{${groupLength}}`, 'g')) ?? [])].join('-')

/** What somebody may have meant: they type small letters, leave dashes out or put others. Blank when it is no code. */
export function spellingOf(typed: string): string {
  const bare = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return bare.length < randomLength ? '' : spelled(bare.slice(0, -randomLength), bare.slice(-randomLength))
}

/** Everything before the random part. */
export const prefixOf = (code: string): string => code.replaceAll('-', '').slice(0, -randomLength)

/** How it is listed: enough to know one again, too little to spend it. */
export const maskOfGenerated = (code: string): string =>
  `${prefixOf(code) ? `${prefixOf(code)}-` : ''}••••-${code.slice(-groupLength)}`

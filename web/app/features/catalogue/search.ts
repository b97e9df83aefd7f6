interface Searched {
  title: string
  keywords: readonly string[]
}

const letters: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  ж: 'j',
  з: 'z',
  и: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'c',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ъ: '',
  ы: 'i',
  ь: '',
  э: 'e',
  ю: 'iu',
  я: 'ia',
  ў: 'o',
  қ: 'k',
  ғ: 'g',
  ҳ: 'h',
  y: 'i',
  w: 'v',
  x: 'ks',
  q: 'k',
} // prettier-ignore

/**
 * Reduces a text to what is heard of it: one alphabet, no accents, spaces or apostrophes of any kind, no doubled letters.
 * `Фри Файр`, `free fire` and `frifayr` come close to each other by it, `sovg'a` and `sovgʻa` are one.
 */
const toHeard = (text: string): string =>
  [...text.toLowerCase().normalize('NFKD')]
    .map((letter) => letters[letter] ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}$]/gu, '')
    .replace(/ph/g, 'f')
    .replace(/ee/g, 'i')
    .replace(/(.)\1+/g, '$1')

const heardTextsAtMost = 5_000
const heardTexts = new Map<string, string>()

/** What is heard of a title or keyword, kept: every search compares all of them, and that was a quarter of rendering a list. */
function toHeardOnce(word: string): string {
  const known = heardTexts.get(word)
  if (known !== undefined) return known
  const heard = toHeard(word)
  if (heardTexts.size >= heardTextsAtMost) heardTexts.clear()
  heardTexts.set(word, heard)
  return heard
}

/** How many letters may be wrong in a text that was typed. */
const allowedFaults = (length: number): number => (length < 4 ? 0 : length < 7 ? 1 : 2)

/** Counts the letters to change, add or leave out until the text stands somewhere in the other one. */
function countFaults(text: string, within: string): number {
  let row = Array.from({ length: within.length + 1 }, () => 0)
  for (let i = 1; i <= text.length; i++) {
    const next = [i]
    for (let j = 1; j <= within.length; j++) {
      const changed = (row[j - 1] ?? 0) + (text[i - 1] === within[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return Math.min(...row)
}

/**
 * Returns those that are looked for, in their order: a keyword or the title has the text in it, as it is written or as it
 * is heard; where none has, those in which it stands with a typing error or two.
 */
export function findProducts<Item extends Searched>(wanted: string, items: readonly Item[]): Item[] {
  const [written, heard] = [wanted.trim().toLowerCase(), toHeard(wanted)]
  const isIn = (test: (word: string) => boolean) =>
    items.filter(({ title, keywords }) => [title, ...keywords].some(test))
  const exact = isIn(
    (word) => word.toLowerCase().includes(written) || (heard.length > 1 && toHeardOnce(word).includes(heard)),
  )
  const faults = allowedFaults(heard.length)
  if (exact.length > 0 || faults === 0) return exact
  return isIn((word) => countFaults(heard, toHeardOnce(word)) <= faults)
}

import { LIMITS } from '@olmos/contract/limits'

const cyrillic: Record<string, string> = Object.fromEntries(
  (
    'а-a б-b в-v г-g д-d е-e ё-yo ж-zh з-z и-i й-y к-k л-l м-m н-n о-o п-p р-r с-s т-t у-u ф-f х-kh ц-ts ч-ch ш-sh ' +
    'щ-shch ъ- ы-y ь- э-e ю-yu я-ya ў-o қ-q ғ-g ҳ-h і-i ї-yi є-ye ә-a ө-o ү-u ұ-u ң-n'
  )
    .split(' ')
    .map((pair) => pair.split('-') as [string, string]),
)

/** A name as it stands in an address: Latin letters, digits and hyphens. Empty when the name has none of them. */
export function slugOf(name: string): string {
  return [...name.toLowerCase().normalize('NFC')]
    .map((sign) => cyrillic[sign] ?? sign)
    .join('')
    .normalize('NFKD')
    .replace(/[\p{M}ʻʼ'’‘`]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LIMITS.slugLengthMax)
    .replace(/^-+|-+$/g, '')
}

/**
 * The shop's own letters: strokes of one width in a box of 70 by 100, whose corners are cut at 45 degrees. Numbers are the
 * middles of strokes; a letter needs no font.
 */
const letters = {
  '1': 'M10 29 32 11V100',
  '2': 'M11 32V27L27 11H43L59 27V40L13 89H64',
  B: 'M11 49H45L59 63V75L45 89H11V11H42L55 24V37L43 49',
  C: 'M59 34V27L43 11H27L11 27V73L27 89H43L59 73V66',
  D: 'M11 11H41L59 29V71L41 89H11Z',
  F: 'M11 100V11H64M11 53H54',
  G: 'M59 32V27L43 11H27L11 27V73L27 89H43L59 73V55H37',
  P: 'M11 100V11H43L59 27V45L43 61H11',
  R: 'M11 100V11H43L59 27V43L43 59H11M35 59 61 100',
  U: 'M11 0V73L27 89H43L59 73V0',
  V: 'M7 0 35 84 63 0',
  $: 'M60 35V28L46 14H24L10 28V38L22 50H48L60 62V72L46 86H24L10 72V65M35-10V14M35 86V110',
  '₽': 'M20 100V10H48L62 24V38L48 52H0M0 79H46',
  '₸': 'M3 10H67M3 40H67M35 40V100',
} as const

export type Letter = keyof typeof letters

/** The angle turns it around the middle. */
type Facet = readonly [tone: number, path: string, angle?: number]

/** What has a shape rather than a letter: its facets in a box of 100 by 100, each with how bright it is. */
const shapes = {
  rhomb: [
    [1, 'M50 0 12 50H50Z'],
    [0.72, 'M50 0 88 50H50Z'],
    [0.6, 'M12 50 50 100V50Z'],
    [0.4, 'M88 50 50 100V50Z'],
  ],
  jewel: [
    [0.7, 'M22 8 0 38H28Z'],
    [1, 'M22 8H50L28 38Z'],
    [0.84, 'M50 8 72 38H28Z'],
    [0.66, 'M50 8H78L72 38Z'],
    [0.5, 'M78 8 100 38H72Z'],
    [0.6, 'M0 38H28L50 96Z'],
    [0.94, 'M28 38H72L50 96Z'],
    [0.4, 'M72 38H100L50 96Z'],
  ],
  crystal: [
    [0.72, 'M50-4 22 22V78L40 66V34Z'],
    [1, 'M50-4 40 34V66L50 104 60 66V34Z'],
    [0.5, 'M50-4 78 22V78L60 66V34Z'],
    [0.56, 'M22 78 50 104 40 66Z'],
    [0.36, 'M78 78 50 104 60 66Z'],
  ],
  coin: [
    [1, 'M30 0H70L60 24H40L24 40V60L0 70V30Z'],
    [0.76, 'M70 0 100 30V70L76 60V40L60 24Z'],
    [0.5, 'M100 70 70 100H30L40 76H60L76 60Z'],
    [0.64, 'M30 100 0 70 24 60 40 76Z'],
    [0.26, 'M40 24H60L76 40V60L60 76H40L24 60V40Z'],
  ],
  gem: [
    [1, 'M6 25 50 0V26L28 38Z'],
    [0.74, 'M50 0 94 25 72 38 50 26Z'],
    [0.5, 'M94 25V75L72 62V38Z'],
    [0.38, 'M94 75 50 100V74L72 62Z'],
    [0.5, 'M50 100 6 75 28 62 50 74Z'],
    [0.7, 'M6 75V25L28 38V62Z'],
    [0.88, 'M50 26 72 38V62L50 74 28 62V38Z'],
  ],
  star: turns(5, [1, 'M50 53V0L38 36Z'], [0.56, 'M50 53V0L62 36Z']),
  shards: [
    [1, 'M40-4 24 40 42 100Z'],
    [0.6, 'M40-4 62 36 42 100Z'],
    [0.86, 'M80 18 64 52 70 90Z'],
    [0.48, 'M80 18 98 48 70 90Z'],
    [0.76, 'M10 26 2 60 19 96Z'],
    [0.42, 'M10 26 24 56 19 96Z'],
  ],
  moon: [
    [1, 'M64 2H36L6 32V50H36V40L62 18Z'],
    [0.58, 'M6 50V68L36 98H64L92 76 60 78 36 57V50Z'],
  ],
  frost: turns(
    6,
    [1, 'M50 53 40 26 50-2Z'],
    [0.56, 'M50 53 60 26 50-2Z'],
    [0.8, 'M50 40 34 22 36 14 50 32 64 14 66 22Z'],
  ),
} satisfies Record<string, readonly Facet[]>

export type Shape = keyof typeof shapes

/** Repeats facets around the middle of the box. */
function turns(times: number, ...facets: readonly Facet[]): Facet[] {
  return Array.from({ length: times }, (_, at) => (360 / times) * at).flatMap((angle) =>
    facets.map(([tone, path]) => [tone, path, angle] as const),
  )
}

const advance = 78
const strokeWidth = 20

/** A word in these letters, or a shape, with its top left corner at 0 0, in one colour. */
export function drawUnit(word: readonly Letter[] | Shape, paint: string): string {
  if (typeof word === 'string') {
    const facets: readonly Facet[] = shapes[word]
    const drawn = facets.map(
      ([tone, path, angle]) =>
        `<path fill-opacity="${tone}" d="${path}"${angle ? ` transform="rotate(${angle} 50 53)"` : ''}/>`,
    )
    return `<g fill="${paint}">${drawn.join('')}</g>`
  }
  const strokes = word.map((letter, at) => `<path transform="translate(${at * advance})" d="${letters[letter]}"/>`)
  return `<g fill="none" stroke="${paint}" stroke-width="${strokeWidth}" stroke-miterlimit="8">${strokes.join('')}</g>`
}

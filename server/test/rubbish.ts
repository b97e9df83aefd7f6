import fc from 'fast-check'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * What no vendor sends, but a broken or a hostile one may: texts the database can't store, and numbers beyond any use.
 */
const rubbish: Json[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '',
  ' ',
  'x'.repeat(300),
  'x'.repeat(20_000),
  '9'.repeat(40),
  '../../refunds',
  '__proto__',
  '9999-99-99T99:99:99Z',
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 53,
  8_640_000_000_001,
  [],
  [null],
  {},
  { id: '\u0000' },
]

interface Change {
  at: number
  how: 'replace' | 'remove' | 'append'
  what: Json
}

const aChange: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom<Change['how'][]>('replace', 'replace', 'remove', 'append'),
  what: fc.oneof(fc.constantFrom(...rubbish), fc.string({ unit: 'binary', maxLength: 12 })),
})

/** Changes one to three places of a message. */
export const changes: fc.Arbitrary<Change[]> = fc.array(aChange, { minLength: 1, maxLength: 3 })

/** Applies the changes to a message, deterministically. */
export function spoil(message: unknown, spoiling: readonly Change[]): Json {
  const root: { message: Json } = { message: structuredClone(message) as Json }
  for (const { at, how, what } of spoiling) {
    const places = placesIn(root)
    const place = places[at % places.length]
    if (!place) continue
    const { holder, key } = place
    const before = holder[key] as Json
    if (how === 'remove' && places.length > 1) delete holder[key]
    else if (how === 'append' && typeof before === 'string' && typeof what === 'string') holder[key] = before + what
    else holder[key] = structuredClone(what)
  }
  return root.message ?? null
}

type Holder = Record<string | number, Json>

function placesIn(holder: object): { holder: Holder; key: string }[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder: holder as Holder, key },
    ...(typeof value === 'object' && value !== null ? placesIn(value) : []),
  ])
}

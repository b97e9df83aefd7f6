/** Texts no field may contain: NUL, half a surrogate pair. */
const badTexts = ['\u0000', 'before\u0000after', '\ud800', 'half \udfff']

/** Days and moments that are written as they should be, and that the database can't read, or no day before them. */
export const oddTimes = [
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  '2026-11-24T00:00:00+23:00',
  '9999-12-31T23:59:59-10:00',
]

/** Values of another type, or out of every range, than the given one. No field accepts both. */
function badValues(value: unknown, tooLong: number): unknown[] {
  if (typeof value === 'string') return [1.5, true, [[]], { wrong: 1 }, ...badTexts, 'x'.repeat(tooLong)]
  if (typeof value === 'number') return ['1', true, [1], {}, -1, 1e308, 2 ** 63]
  if (typeof value === 'boolean') return ['true', 1, [], {}]
  if (Array.isArray(value)) return [1, true, {}, [{}], [[]]]
  return ['text', 1, true, [[]]]
}

type Path = readonly (string | number)[]
type Holder = Record<string | number, unknown>

function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.keys(value).flatMap((key) => listPaths((value as Holder)[key], [...path, key]))
  return path.length === 0 ? inside : [path, ...inside]
}

const valueAt = (body: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Holder)[key], body)

function withValue(body: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(body)
  const holder = valueAt(copy, path.slice(0, -1)) as Holder
  holder[path.at(-1) as string] = value
  return copy
}

export interface BadBody {
  /** Where and what is wrong. */
  name: string
  body: unknown
}

const short = (value: unknown): string => JSON.stringify(value).slice(0, 40)

/** Makes the body with one fault, for every possible fault; no text may have so many letters. */
export const wrongFields = (body: object, tooLong: number): BadBody[] =>
  listPaths(body).flatMap((path) =>
    badValues(valueAt(body, path), tooLong).map((value) => ({
      name: `${path.join('.')} = ${short(value)}`,
      body: withValue(body, path, value),
    })),
  )

/** Makes the body with a field that does not exist. */
export const unknownFields = (body: object): BadBody[] =>
  ['unknown', 'role', 'isAdmin', 'id ', '$where', 'toString']
    .filter((name) => !Object.hasOwn(body, name))
    .map((name) => ({ name: `also ${name}`, body: { ...body, [name]: 'admin' } }))

const oddTimesFor = (value: unknown): readonly string[] => (/^\d{4}-\d\d-\d\d/.test(String(value)) ? oddTimes : [])

/** Makes the body with a field missing or null: sometimes fine, never a crash. */
export const emptiedFields = (body: object): BadBody[] =>
  listPaths(body).flatMap((path) => [
    { name: `${path.join('.')} = null`, body: withValue(body, path, null) },
    { name: `no ${path.join('.')}`, body: withValue(body, path, undefined) },
    ...oddTimesFor(valueAt(body, path)).map((time) => ({
      name: `${path.join('.')} = ${time}`,
      body: withValue(body, path, time),
    })),
    { name: `${path.join('.')} = 2147483647`, body: withValue(body, path, 2_147_483_647) },
  ])

/** Bodies that are no JSON object, or try to be more than one. */
export const wrongPayloads: readonly string[] = [
  '[]',
  '[{}]',
  '"text"',
  '1',
  'true',
  '{',
  'nope',
  '{"a":1,}',
  "{'a':1}",
  '{"a":1}{"b":2}',
  '\u0000',
  '{"a":"\u0000"}',
  '\ufffe',
  '{"__proto__":{"role":"admin"}}',
  '{"a":{"__proto__":{"role":"admin"}}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '['.repeat(50_000),
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
]

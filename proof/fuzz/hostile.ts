import type { Chance } from '../random.ts'
import type { Schema } from './operations.ts'

/** A value that JSON.stringify can't write: the text stands in the JSON as it is. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const mark = '@raw@'

/** JSON with the raw values in it. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) => (inner instanceof RawJson ? `${mark}${inner.text}${mark}` : inner))
  return text.replace(new RegExp(`"${mark}(.*?)${mark}"`, 'g'), (_, raw: string) => JSON.parse(`"${raw}"`))
}

const numbers: readonly unknown[] = [
  ...[0, -1, 1, 1.5, 0.1 + 0.2, 1e-9, -1e9, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 2 ** 63, 1e21, 1e308],
  ...['1000000000000000000000000000000', '-0', '1e400', '-1e400', '1e-400', '9223372036854775807'].map(
    (text) => new RawJson(text),
  ),
]

const texts: readonly unknown[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\u202eevil',
    'x'.repeat(20_000),
    '🦊'.repeat(2_000),
  ],
  ...['null', 'undefined', 'NaN', 'true', '0x10', '1e3', ' 1 ', '-1', '1,5', '٣', '1000000000000000000000000000000'],
  ...["'; DROP TABLE users; --", '%', '_', '\\', '%%%', '$1', '${7*7}', '{{7*7}}', '<script>alert(1)</script>', '=1+1'],
  ...['../../etc/passwd', 'javascript:alert(1)', 'https://example.com/x.png', '__proto__', 'constructor', 'toString'],
  ...['2026-02-30', '9999-12-31T23:59:59Z', '+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', 'EUR', 'İ', 'ß', 'ﷺ'],
]

const nest = (depth: number): unknown => (depth === 0 ? 1 : [{ a: nest(depth - 1) }])
const others: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  [null],
  { length: 1e9 },
  { toJSON: 1 },
  nest(50),
]

/** A value of its own: the next mutation may change something inside of it. */
export const aHostileValue = (chance: Chance): unknown => copied(chance.pick(chance.pick([numbers, texts, others])))

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)]))
}

/** Fields nobody asked for, some of which JavaScript itself knows. */
const unknownFields = [
  'role',
  'isAdmin',
  'user_id',
  'userId',
  'balance',
  'status',
  'toString',
  'hasOwnProperty',
  '$where',
]

export const anUnknownField = (chance: Chance) =>
  [chance.pick(unknownFields), chance.pick(['admin', 1, true, {}])] as const

/** Bodies that are no object of the call, or not even JSON. */
export const wholeBodies: readonly (string | Buffer)[] = [
  ...['', ' ', 'null', '[]', '[{}]', '"text"', '1', 'true', '{', '}', 'nope', '{"a":1,}', "{'a':1}", '{"a":1}{"b":2}'],
  ...['\ufeff{}', '{"a":"\u0000"}', '{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":1e400}', '{"a":-}', '{"":""}'],
  '{"__proto__":{"role":"admin"}}',
  '{"a":{"__proto__":{"role":"admin"}}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '['.repeat(50_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"a":"${'x'.repeat(200_000)}"}`,
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from('{"a":"\xff"}', 'latin1'),
  Buffer.from('{"a":1}', 'utf16le'),
  Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0]),
]

/** Parts of a path, as they stand in the URL. */
export const pathParts: readonly string[] = [
  ...[
    '0',
    '-1',
    '1.5',
    '1e3',
    'abc',
    '2147483647',
    '2147483648',
    '9223372036854775808',
    '1000000000000000000000000000000',
  ],
  ...['%00', '1%00', '%', '%zz', '%ff', '%ed%a0%80', '%F0%9F%A6%8A', '%20', '+1', '..', '.', '%2e%2e', '..%2F..%2Fetc'],
  ...['sandbox', 'stripe', 'yookassa', 'fazercards', 'g2bulk', 'kinguin', 'seagm', 'manual'],
  ...[
    "'%20OR%201=1--",
    'null',
    'undefined',
    '__proto__',
    'constructor',
    'x'.repeat(150),
    'x'.repeat(3_000),
    '1;a=b',
    '1%2F2',
  ],
]

/** Values of a query, as they stand in the URL. */
export const queryValues: readonly string[] = [
  ...['', '%00', 'a%00b', '%', '%zz', '%ff', '%ed%a0%80', '-1', '0', '1.5', '1e3', 'NaN', '99999999999', '2147483648'],
  ...[
    '1000000000000000000000000000000',
    'true',
    'null',
    '%25',
    '_',
    '%5C',
    "'",
    '%F0%9F%A6%8A',
    'x'.repeat(3_000),
    '2026-02-30',
  ],
  ...['%00000', '+', '%20', '__proto__', 'desc', 'asc', '9999-12-31T23:59:59Z', '1,2', '%7B%7D', '%5B%5D'],
]

export const contentTypes: readonly string[] = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'multipart/form-data'],
  ...['application/xml', 'application/json; charset=utf-16', 'application/json;charset=nonsense', 'application/jsonp'],
  ...[
    'APPLICATION/JSON',
    'application/json, text/plain',
    'application/merge-patch+json',
    '/',
    '',
    ';',
    'x'.repeat(2_000),
  ],
]

/** Headers with values that no client of the store sends. */
export const strangeHeaders: readonly (readonly [string, string | string[]])[] = [
  ...[
    '',
    ' ',
    'k',
    'k'.repeat(255),
    'k'.repeat(256),
    'k'.repeat(6_000),
    'ключ',
    '\u0080\u00ff',
    '../x',
    '__proto__',
  ].map((value) => ['idempotency-key', Buffer.from(value).toString('latin1')] as const),
  ['idempotency-key', ['one', 'two']],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br, gzip'],
  ['content-encoding', 'nonsense'],
  ['accept-encoding', 'gzip;q=nonsense, br;q=2, *;q=-1'],
  ['accept-encoding', 'identity;q=0, *;q=0'],
  ['accept', 'text/x-nothing'],
  ['accept-language', '__proto__'],
  ['accept-language', `${'x'.repeat(3_000)};q=9`],
  ['authorization', 'Basic YWRtaW46YWRtaW4='],
  ['authorization', 'Bearer'],
  ['authorization', `Bearer ${'a'.repeat(5_000)}`],
  ['authorization', 'Bearer ../../x\u00ff'],
  ['cookie', 'language=__proto__; currency=EUR; theme=\u0080'],
  ['cookie', `a=${'b'.repeat(4_000)}; language`],
  ['expect', '200-ok'],
  ['host', 'a b'],
  ['host', '['],
  ['host', 'evil.example:99999'],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"", "'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=99999-'],
  ['range', 'bytes=0-0,2-1,-5'],
  ['x-forwarded-for', "127.0.0.1, '; DROP TABLE users"],
  ['x-forwarded-host', 'a b'],
  ['x-forwarded-proto', 'gopher'],
  ['x-http-method-override', 'DELETE'],
  ['x-react-router-spa-mode', 'yes'],
  ['x-react-router-prerender-data', 'nonsense'],
  ['x-original-url', '/api/admin/users'],
  ['stripe-signature', 't=1,v1=00'],
  ['sandbox-signature', '\u00ff'],
]

export const someBytes = (chance: Chance): Buffer =>
  Buffer.from(Array.from({ length: chance.between(0, 300) }, () => chance.between(0, 255)))

/** A value the schema takes, or nearly: patterns are not followed. */
export function aValueFor(schema: Schema, chance: Chance, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return chance.pick(schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return aValueFor(chance.pick(choices), chance, depth)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => aValueFor(part, chance, depth)))
  const type = Array.isArray(schema.type) ? chance.pick(schema.type) : schema.type
  if (type === 'integer' || type === 'number') return aNumberFor(schema, chance)
  if (type === 'boolean') return chance.isTrue(0.5)
  if (type === 'null') return null
  if (type === 'string') return aTextFor(schema, chance)
  if (depth > 4) return undefined
  if (type === 'array') {
    return Array.from({ length: chance.between(0, 3) }, () => aValueFor(schema.items ?? {}, chance, depth + 1))
  }
  const fields = Object.entries(schema.properties ?? {}).filter(() => chance.isTrue(0.85))
  return Object.fromEntries(fields.map(([name, field]) => [name, aValueFor(field, chance, depth + 1)]))
}

function aNumberFor({ minimum = 0, maximum = 100 }: Schema, chance: Chance): number {
  return chance.pick([
    minimum,
    maximum,
    chance.between(Math.ceil(minimum), Math.floor(Math.min(maximum, minimum + 100))),
  ])
}

function aTextFor({ format, minLength = 0, maxLength = 40 }: Schema, chance: Chance): string {
  if (format === 'date-time') return '2026-11-22T00:00:00Z'
  if (format === 'date') return '2026-11-22'
  if (format === 'uuid') return '3f0d0f5e-6f0a-4c1e-9a53-0a8f0c9b7d11'
  const length = chance.pick([
    minLength,
    Math.min(maxLength, 2_000),
    chance.between(minLength, Math.min(maxLength, minLength + 20)),
  ])
  return Array.from({ length }, () => chance.pick([...'abcxyz019 -_а'])).join('')
}

import { expect, test } from 'vitest'
import { chooseEncoding, isTagKnown } from './headers.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0', 'identity'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['BR', 'br'],
  ['GZip;Q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip;q=0, *', 'identity'],
  ['identity;q=0, *;q=0', 'identity'],
  ['identity;q=1, br;q=0.5', 'identity'],
  ['gzip;q=0.8,br;q=0.7', 'gzip'],
  ['br ; q = 0.000 , gzip ; q = 0.001', 'gzip'],
  ['br;q=abc', 'identity'],
  ['br;level=5;q=0', 'identity'],
  ['zstd', 'identity'],
  ['brx, abr, xgzip', 'identity'],
  [',,;', 'identity'],
  ['', 'identity'],
] as const)('"%s" asks for %s', (accepted, encoding) => expect(chooseEncoding(accepted)).toBe(encoding))

const etag = 'W/"abc"'

test.each(['W/"abc"', '"abc"', '*', ' * ', '"x", W/"abc"', 'W/"x",W/"abc" , "y"', '"a,b","abc"'])(
  '%s knows the tag',
  (known) => expect(isTagKnown(known, etag)).toBe(true),
)

test.each([undefined, '', 'abc', '"ab"', '"ABC"', 'W/"x", "y"', '"x, abc"', '""abc""', '"*"'])('%s does not', (other) =>
  expect(isTagKnown(other, etag)).toBe(false),
)

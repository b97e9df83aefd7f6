import { describe, expect, test } from 'vitest'
import { customerPage, id, idText, imageUrl, listQuery, orderId, regionIdText, text } from './fields.ts'

describe('a text', () => {
  test.each([
    ['  both ends ', 'both ends'],
    ['Ёж 🦊', 'Ёж 🦊'],
    ['\tа\n', 'а'],
    ['x'.repeat(5), 'x'.repeat(5)],
  ])('%j is read as %j', (given, read) => {
    expect(text(1, 10).parse(given)).toBe(read)
  })

  test.each([
    ['', 'required'],
    ['   ', 'required'],
    ['\u0000', 'invalid_text'],
    ['a\u0000b', 'invalid_text'],
    ['\ud800', 'invalid_text'],
    ['a\udfff', 'invalid_text'],
    ['x'.repeat(11), 'too_long'],
  ])('%j is refused as %s', (given, key) => {
    expect(text(1, 10).safeParse(given).error?.issues[0]?.message).toBe(key)
  })
})

describe('an id', () => {
  test.each(['1', '17', '2147483647', '0000000001'])('in a path: %s', (given) => {
    expect(idText.parse(given)).toBe(Number(given))
  })

  test.each([
    '0',
    '-1',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '0x1',
    '',
    '2147483648',
    '99999999999',
    '9223372036854775808',
    '١',
    'abc',
  ])('not in a path: %j', (given) => expect(idText.safeParse(given).success).toBe(false))

  test.each([0, -1, 1.5, 2 ** 31, 2 ** 63, Number.NaN, '1', null])('not in a body: %j', (given) => {
    expect(id.safeParse(given).success).toBe(false)
  })

  test('of no region is 0', () => {
    expect(regionIdText.parse('0')).toBe(0)
    expect(regionIdText.safeParse('-1').success).toBe(false)
  })

  test.each(['ABCDEFGHJK', '0123456789', 'ZZZZZZZZZZ'])('of an order: %s', (given) =>
    expect(orderId.parse(given)).toBe(given),
  )
  test.each(['abcdefghjk', 'ABCDEFGHJ', 'ABCDEFGHJKM', 'ILOUABCDEF', 'АBCDEFGHJK', 'ABCDEFGHJK\n'])(
    'not of an order: %j',
    (given) => expect(orderId.safeParse(given).success).toBe(false),
  )
})

describe('a page', () => {
  const query = listQuery(['id', 'name'])

  test('is the first, of 50, newest first, unless said otherwise', () => {
    expect(query.parse({})).toEqual({ page: 1, pageSize: 50, search: '', order: 'desc' })
    expect(query.parse({ page: '3', pageSize: '200', search: ' a ', sort: 'name', order: 'asc' })).toEqual({
      page: 3,
      pageSize: 200,
      search: 'a',
      sort: 'name',
      order: 'asc',
    })
  })

  test.each([
    { page: '0' },
    { page: '1.5' },
    { page: '1000000' },
    { pageSize: '0' },
    { pageSize: '201' },
    { sort: 'password' },
    { order: 'up' },
    { other: '1' },
    { search: 'x'.repeat(101) },
  ])('is not %j', (given) => expect(query.safeParse(given).success).toBe(false))

  test('of a customer has 100 at most', () => {
    expect(customerPage.pageSize.parse(undefined)).toBe(100)
    expect(customerPage.pageSize.safeParse('101').success).toBe(false)
  })
})

describe('the address of a picture', () => {
  test.each(['', 'https://cdn.example/a.png?x=1', '/art/roblox.svg'])('may be %j', (given) =>
    expect(imageUrl.parse(given)).toBe(given),
  )

  test.each([
    'http://cdn.example/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '//cdn.example/a.png',
    '/art/../secret',
    '/etc/passwd',
    'https://cdn.example/"onerror="alert(1)',
    'https://cdn.example/a b.png',
  ])('may not be %j', (given) => expect(imageUrl.safeParse(given).success).toBe(false))
})

import { firstShop } from '@olmos/contract/first-shop'
import { describe, expect, test } from 'vitest'
import { fillCart, pressPay } from '../../../test/card-orders.ts'
import { anOffer, aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { readMarkdown } from './pages.ts'
import { cacheShop } from './shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })

const write = (name: string, body: object) => ask('PUT', `/admin/pages/${name}`, body)

const read = (name: string, language = 'ru') =>
  shop.call('GET', `/pages/${name}`, { headers: { 'accept-language': language } })

const plain = (text: string) => [{ text, marks: [], url: null }]

describe('Markdown', () => {
  test('a text becomes blocks, with what they stand in, and the highest heading comes second', () => {
    const { blocks, faults } = readMarkdown(
      [
        '## Terms',
        '',
        'We **sell** [codes](/products).',
        '',
        '2. One',
        '   - two',
        '3. Three',
        '',
        '> #### Say',
        '---',
      ].join('\n'),
    )
    expect(faults).toEqual([])
    const list = { kind: 'numbers', id: 1, start: 2 }
    const one = { kind: 'item', id: 2, start: 1 }
    const inner = [
      { kind: 'bullets', id: 3, start: 1 },
      { kind: 'item', id: 4, start: 1 },
    ]
    expect(blocks).toEqual([
      { kind: 'heading', line: 1, level: 2, frames: [], words: plain('Terms') },
      {
        kind: 'paragraph',
        line: 3,
        level: 0,
        frames: [],
        words: [
          { text: 'We ', marks: [], url: null },
          { text: 'sell', marks: ['strong'], url: null },
          { text: ' ', marks: [], url: null },
          { text: 'codes', marks: [], url: '/products' },
          { text: '.', marks: [], url: null },
        ],
      },
      { kind: 'paragraph', line: 5, level: 0, frames: [list, one], words: plain('One') },
      { kind: 'paragraph', line: 6, level: 0, frames: [list, one, ...inner], words: plain('two') },
      {
        kind: 'paragraph',
        line: 7,
        level: 0,
        frames: [list, { kind: 'item', id: 5, start: 1 }],
        words: plain('Three'),
      },
      { kind: 'heading', line: 9, level: 4, frames: [{ kind: 'quote', id: 6, start: 1 }], words: plain('Say') },
      { kind: 'rule', line: 10, level: 0, frames: [], words: [] },
    ])
  })

  test.each([
    '<script>alert(1)</script>',
    'A <img src=x onerror=alert(1)> B',
    '<!-- hidden -->',
    '<a href="javascript:alert(1)">press</a>',
  ])('HTML stays the characters it is written with: %s', (text) => {
    const { blocks, faults } = readMarkdown(text)
    expect(faults).toEqual([])
    expect(blocks.flatMap(({ words }) => words.map((one) => one.text)).join('')).toBe(text)
    expect(blocks.flatMap(({ words }) => words.filter(({ url }) => url !== null))).toEqual([])
  })

  test.each([
    ['[a](javascript:alert(1))', 'page_link'],
    ['[a](JaVaScRiPt:alert(1))', 'page_link'],
    ['[a](javascript&#58;alert(1))', 'page_link'],
    ['[a](&#x6A;avascript:alert(1))', 'page_link'],
    ['[a](data:text/html;base64,PHNjcmlwdD4=)', 'page_link'],
    ['[a](vbscript:x)', 'page_link'],
    ['[a](http://shop.example)', 'page_link'],
    ['[a](//evil.example)', 'page_link'],
    ['[a](/\\evil.example)', 'page_link'],
    ['[a](https://evil.example/"onclick=x)', 'page_link'],
    ['[a](relative)', 'page_link'],
    ['<javascript:alert(1)>', 'page_link'],
    ['[a][b]\n\n[b]: javascript:alert(1)', 'page_link'],
    ['![a](https://shop.example/a.png)', 'page_image'],
    ['![a](/art/a.svg)', 'page_image'],
    ['![a][b]\n\n[b]: /art/a.svg', 'page_image'],
    [`${'>'.repeat(40)} deep`, 'page_depth'],
    ['*a_ '.repeat(101), 'page_depth'],
    [`${'- '.repeat(40)}deep`, 'page_depth'],
  ])('what may not be in a text is found by its line: %s', (text, key) => {
    const { faults } = readMarkdown(`# Terms\n\n${text}`)
    expect(faults[0]).toEqual({ line: 3, key })
  })

  test.each([
    '[a](https://shop.example/x?y=1#z)',
    '[a](mailto:hello@shop.example)',
    '[a](tel:+998901234567)',
    '[a](/pages/refunds)',
    '<hello@shop.example>',
  ])('a link leads where it may: %s', (text) => {
    const { faults, blocks } = readMarkdown(text)
    expect(faults).toEqual([])
    expect(blocks[0]?.words[0]?.url).toMatch(/^(?:https:|mailto:|tel:|\/)/)
  })

  test.each(['>', '[', '![', '*a_', '`', '<', '- ', '[a](', '&', '1. '])(
    'a hostile text of the longest length is read in no time: %s…',
    (part) => {
      const began = performance.now()
      readMarkdown(part.repeat(Math.floor(100_000 / part.length)))
      expect(performance.now() - began).toBeLessThan(10_000)
    },
    60_000,
  )
})

test('a page is there for everybody once it is published, in its language or else in another', async () => {
  const known = cacheShop(shop.database)
  expect((await read('about')).status).toBe(404)
  const { version } = (await ask('GET', '/admin/pages/about')).body.data
  const texts = { ru: '# О нас\n\nМы продаём коды.', en: 'We sell codes.' }
  expect((await write('about', { is_published: false, texts, version })).body.data).toMatchObject({
    name: 'about',
    is_published: false,
    texts,
    version: version + 1,
    changed_by: admin.nickname,
  })
  expect((await read('about')).status).toBe(404)
  expect((await known.read()).pages).toEqual([])

  await write('about', { is_published: true, texts: {} })
  known.clear()
  expect((await known.read()).pages).toEqual(['about'])
  expect((await read('about', 'en')).body.data).toMatchObject({
    language: 'en',
    blocks: [{ kind: 'paragraph', words: plain('We sell codes.') }],
  })
  expect((await read('about', 'uz')).body.data).toMatchObject({ language: 'ru', blocks: [{ kind: 'heading' }, {}] })
  // Another version is read again, however lately the last one was.
  await write('about', { is_published: true, texts: { en: 'We sell gems.' } })
  expect((await read('about', 'en')).body.data.blocks[0].words).toEqual(plain('We sell gems.'))

  await write('about', { is_published: false, texts: {} })
  expect((await read('about', 'en')).status).toBe(404)
  const versions = (await ask('GET', '/admin/pages/about/versions')).body.data
  expect(versions.slice(0, 2)).toMatchObject([
    { version: version + 4, is_published: false, languages: ['ru', 'en'] },
    { version: version + 3, is_published: true },
  ])
  const older = await ask('GET', `/admin/pages/about?version=${version + 1}`)
  expect(older.body.data).toMatchObject({ version: version + 1, texts })
  expect((await ask('GET', '/admin/pages/about?version=900')).status).toBe(404)
  known.clear()
  expect((await known.read()).pages).toEqual(firstShop.pages)
})

test('a page without a text is not published, and a blank text is none', async () => {
  const refused = await write('privacy', { is_published: true, texts: { en: ' \n' } })
  expect([refused.status, refused.body.error.details]).toEqual([400, { texts: 'required' }])
  await write('privacy', { is_published: true, texts: { ru: 'Текст', en: 'Text' } })
  expect((await write('privacy', { is_published: true, texts: { ru: '' } })).body.data.texts).toEqual({ en: 'Text' })
})

test.each([
  [{ is_published: true, texts: { en: 'One\n\n[two](javascript:alert(1))' } }, { 'texts.en.3': 'page_link' }],
  [{ is_published: true, texts: { ru: 'Bir', uz: '[a](javascript:alert(1))' } }, { 'texts.uz.1': 'page_link' }],
  [{ is_published: true, texts: { ru: '![x](https://a.example/b.png)' } }, { 'texts.ru.1': 'page_image' }],
  [{ is_published: true, texts: { en: 'я'.repeat(50_001) } }, { 'texts.en': 'too_long' }],
  [{ is_published: true, texts: { en: '\u0000' } }, { 'texts.en': 'invalid_text' }],
])('a text that may not be shown is refused: %#', async (body, details) => {
  const before = (await ask('GET', '/admin/pages/refunds')).body.data
  const { status, body: answer } = await write('refunds', body)
  expect([status, answer.error.details]).toEqual([400, details])
  expect((await ask('GET', '/admin/pages/refunds')).body.data).toEqual(before)
})

test('the longest text is kept, and one that is longer than all of them may be is not read', async () => {
  const longest = 'a '.repeat(50_000)
  expect((await write('requisites', { is_published: false, texts: { ru: longest, en: longest } })).status).toBe(200)
  const { status, body } = await write('requisites', { is_published: false, texts: { ru: 'a'.repeat(1_100_000) } })
  expect([status, body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
})

test('a page that is not in a language is in the default one, whichever that is by now', async () => {
  await write('refunds', { is_published: true, texts: { ru: 'По-русски', en: 'In English' } })
  const readLanguage = async () => (await read('refunds', 'uz')).body.data.language
  expect(await readLanguage()).toBe('ru')
  await ask('PUT', '/admin/shop', { default_language: 'en' })
  expect(await readLanguage()).toBe('en')
  await ask('PUT', '/admin/shop', { default_language: 'ru' })
})

test('the list says of each page what is in force of it, and its versions are its own', async () => {
  const listed = async (name: string) =>
    (await ask('GET', '/admin/pages')).body.data.find((page: { name: string }) => page.name === name)
  const { version } = await listed('requisites')
  await write('about', { is_published: true, texts: { uz: 'Biz' } })
  await write('requisites', { is_published: true, texts: { uz: 'Hisob raqami' } })
  const now = await listed('requisites')
  expect(now).toMatchObject({ is_published: true, version: version + 1 })
  expect(now.languages).toContain('uz')
  const versions = (await ask('GET', '/admin/pages/requisites/versions')).body.data
  expect(versions.map((one: { name: string; version: number }) => [one.name, one.version])).toEqual(
    Array.from({ length: version + 1 }, (_, at) => ['requisites', version + 1 - at]),
  )
})

test('no page has a name that is not known', async () => {
  expect((await read('terms2')).status).toBe(400)
  expect((await write('shop', { is_published: true, texts: { en: 'x' } })).status).toBe(400)
  expect((await ask('GET', '/admin/shop-versions/terms')).status).toBe(400)
})

test('a preview shows what a text becomes, or the lines that may not be in it', async () => {
  const shown = await ask('POST', '/admin/pages/preview', { text: '*Soon*' })
  expect(shown.body.data.blocks[0].words).toEqual([{ text: 'Soon', marks: ['emphasis'], url: null }])
  const refused = await ask('POST', '/admin/pages/preview', { text: 'a\n\n![b](/c.png)\n\n[d](data:,e)' })
  expect(refused.body.error.details).toEqual({ 'text.3': 'page_image', 'text.5': 'page_link' })
})

test('an order remembers which terms were published when it was placed', async () => {
  const offer = await anOffer(shop, { stock: 10 })
  const order = async () => {
    const buyer = await aUser(shop)
    await fillCart(shop, buyer, offer, 1)
    const { body } = await pressPay(shop, buyer, 100)
    const { body: seen } = await ask('GET', `/admin/orders/${body.order_id}`)
    return seen.data.terms_version
  }
  expect(await order()).toBeNull()
  const { version } = (await write('terms', { is_published: true, texts: { ru: 'Первые' } })).body.data
  expect(await order()).toBe(version)
  await write('terms', { is_published: true, texts: { ru: 'Вторые' } })
  expect(await order()).toBe(version + 1)
  await write('terms', { is_published: false, texts: {} })
  expect(await order()).toBeNull()
  expect((await ask('GET', `/admin/pages/terms?version=${version}`)).body.data.texts).toEqual({ ru: 'Первые' })
})

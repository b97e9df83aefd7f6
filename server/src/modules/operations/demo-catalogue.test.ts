import { readFileSync } from 'node:fs'
import { editedField } from '@olmos/contract/account-fields'
import { languages } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { expect, test } from 'vitest'
import type { DemoProduct } from '../../demo/demo.ts'
import { demoProducts, demoPromotions, demoRegions } from './fill-demo.ts'

const MAX_ARTWORK_BYTES = 4_000
const artwork = (imageUrl: string) =>
  readFileSync(new URL(`../../../../web/public${imageUrl}`, import.meta.url), 'utf8')
const everyOffer = demoProducts.flatMap((product) => product.offers.map((offer) => ({ product, offer })))
const topups = demoProducts.filter(({ kind }) => kind === 'topup')
const everyField = topups.flatMap(({ slug, fields = [] }) => fields.map((field) => ({ slug, field })))

const everyText = [
  ...demoProducts.flatMap(({ slug, texts }) =>
    languages.flatMap((language) =>
      Object.entries(texts[language]).map(([field, text]) => ({ where: `${slug} ${field}`, language, text })),
    ),
  ),
  ...demoPromotions.flatMap(({ text }, i) =>
    languages.map((language) => ({ where: `promotion ${i + 1}`, language, text: text[language] })),
  ),
  ...everyField.flatMap(({ slug, field: { key, hints } }) =>
    languages.flatMap((language) => {
      const text = hints?.[language]
      return text === undefined ? [] : { where: `${slug} hint of ${key}`, language, text }
    }),
  ),
]

/** What people fill in where a field has a pattern. */
const examples: Record<string, string[]> = {
  riot_id: ['Olmos#EUW', 'Тимур Т#7777'],
  player_tag: ['#2PP0JCCL', '8lq0cr9'],
  username: ['olmos_uz', '@Lola1999'],
}

test('slugs and region codes are there once', () => {
  const slugs = demoProducts.map(({ slug }) => slug)
  const codes = demoRegions.map(({ code }) => code)
  expect(new Set(slugs).size).toBe(slugs.length)
  expect(new Set(codes).size).toBe(codes.length)
})

test.each(demoProducts)('$slug is sold in the regions it names, and those exist', ({ kind, regions, offers }) => {
  const named = regions.map(({ code }) => code)
  const known = demoRegions.map(({ code }) => code)
  expect(known).toEqual(expect.arrayContaining(named))
  const sold = new Set(offers.flatMap(({ region }) => region ?? []))
  expect([...sold].sort()).toEqual([...named].sort())
  if (kind === 'code') expect(offers.length).toBeGreaterThan(0)
})

test.each(demoProducts)(
  '$slug lists a package once per region, and none but passes is dearer by the piece than a smaller one',
  (product) => {
    for (const list of Map.groupBy(product.offers, ({ region }) => region).values()) {
      expect(new Set(list.map(({ gameAmount }) => gameAmount)).size).toBe(list.length)
      const bySize = list.filter(({ name }) => name === undefined).toSorted((a, b) => a.gameAmount - b.gameAmount)
      for (const price of ['priceUsd', 'priceRub'] as const) {
        const each = bySize.map((offer) => offer[price] / offer.gameAmount)
        expect(each).toEqual(each.toSorted((a, b) => b - a))
      }
    }
  },
)

test.each(everyOffer)(
  '$product.slug $offer.gameAmount ($offer.region) has a believable price and stock',
  ({ product, offer }) => {
    expect(wholeAndPositive(offer)).toBe(true)
    const rublesPerDollar = offer.priceRub / offer.priceUsd
    expect(rublesPerDollar).toBeGreaterThan(74)
    expect(rublesPerDollar).toBeLessThan(86)
    expect(offer.stock).toBeLessThanOrEqual(60)
    if (product.kind === 'topup') expect(offer.stock).toBe(0)
  },
)

test('the shelves show what a shop has to cope with: pages, sold-out packages, low stock', () => {
  const codes = demoProducts.filter(({ kind }) => kind === 'code')
  expect(codes.filter((product) => longestList(product) > 9).length).toBeGreaterThanOrEqual(3)
  expect(codes.flatMap(({ offers }) => offers).filter(({ stock }) => stock === 0)).toHaveLength(2)
  expect(codes.filter(({ offers }) => offers.every(({ stock }) => stock <= 3))).toHaveLength(1)
})

test.each(everyText)('$where in $language is written, tidy, and in its own script', ({ where, language, text }) => {
  expect(text.trim()).toBe(text)
  expect(text.length).toBeGreaterThan(3)
  expect(text).not.toContain('!')
  // Phones speak no Uzbek: what one presses there is named in Russian too.
  const cyrillic = /\p{Script=Cyrillic}/u.test(text.replace(/\(ruschada “[^”]+”\)/g, ''))
  if (!where.endsWith('title')) expect(cyrillic).toBe(language === 'ru')
})

test.each(everyText.filter(({ language }) => language === 'uz'))('$where keeps to Uzbek orthography', ({ text }) => {
  // U+02BB belongs to o and g only; the tutuq is U+02BC; look-alikes are neither.
  expect(text).not.toMatch(/['`´‘’ʹ]/)
  expect(text.replace(/[oOgG]ʻ/g, '')).not.toContain('ʻ')
  expect(text).not.toMatch(/[oOgG]ʼ/)
})

/** What a language is not typed with; shop and the like have another word here. */
const foreign = {
  en: /[«»„]|\bshops?\b|e-mail|\s%/,
  ru: /[“”„]|(?<!\u00A0)%/,
  uz: /[«»„]|\s%|[A-Za-z]-(ga|ni|da|dan)(?![a-z])/,
}
test.each(everyText)('$where in $language is typed as the texts of the pages are', ({ language, text }) => {
  expect(text).not.toMatch(foreign[language])
  expect(text).not.toMatch(/["']|\.\.\.| {2}/)
})

/** Buttons of the pages that the steps name. */
const buttons = { en: '“Find”', ru: '«Найти»', uz: '“Topish”' }
test('the steps call the button that finds a player by its name', () => {
  const found = topups.filter(({ playerCheck, fields = [] }) => playerCheck === 'required' && fields.length > 0)
  for (const { texts } of found)
    for (const language of languages) expect(texts[language].activationInstructions).toContain(buttons[language])
})

test.each(demoProducts)('$slug is activated in three to five numbered steps', ({ texts }) => {
  const counts = languages.map((language) => {
    const lines = texts[language].activationInstructions.split('\n')
    for (const [i, line] of lines.entries()) expect(line.startsWith(`${i + 1}. `)).toBe(true)
    return lines.length
  })
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(3)
  expect(Math.max(...counts)).toBeLessThanOrEqual(5)
  expect(new Set(counts).size).toBe(1)
})

test.each(demoProducts)('$slug can be found: its keywords are lower case, in Latin and Cyrillic', ({ keywords }) => {
  expect(keywords).toEqual([...new Set(keywords.map((word) => word.toLowerCase().trim()))])
  expect(keywords.some((word) => /[а-яё]/.test(word))).toBe(true)
  expect(keywords.some((word) => /[a-z]/.test(word))).toBe(true)
})

test.each(demoProducts)('$slug has codes that cannot be guessed or run out', ({ codePattern }) => {
  expect(codePattern.match(/X/g)?.length ?? 0).toBeGreaterThanOrEqual(10)
})

test.each(topups)(
  '$slug says how it is priced, and its packages have names of their own at the supplier',
  (product) => {
    const { pricing, presets = [], offers } = product
    expect(offers.length > 0).toBe(pricing !== 'amount')
    expect(presets.length > 0).toBe(pricing === 'combination')
    const items = offers.map(({ itemId = '' }) => itemId)
    expect(new Set(items).size).toBe(items.length)
    for (const item of items) expect(item).toMatch(/^[a-z0-9_]+\/[a-z0-9_]+$/)
    for (const { name = 'none' } of offers) expect(name.length).toBeLessThanOrEqual(LIMITS.denominationNameMax)
  },
)

test.each(topups)('$slug asks for an account, each thing once', ({ fields = [] }) => {
  const keys = fields.map(({ key }) => key)
  expect(keys.length).toBeGreaterThan(0)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each(everyField)('$slug asks for $field.key as an operator could, in three languages', ({ field }) => {
  const { labels, options, pattern, lengthMin, lengthMax } = editedField.parse(field)
  for (const { labels: named } of [{ labels }, ...options]) {
    expect(Object.keys(named).sort()).toEqual([...languages].sort())
    expect(named.uz).not.toMatch(/['`´‘’ʹ]|[oOgG]ʼ/)
  }
  for (const example of examples[field.key] ?? []) {
    expect(example).toMatch(new RegExp(`^(?:${pattern})$`, 'u'))
    expect(example.length).toBeGreaterThanOrEqual(lengthMin)
    expect(example.length).toBeLessThanOrEqual(lengthMax)
  }
})

const images = [...demoProducts.map(({ imageUrl }) => imageUrl), '/art/freefire-codes.svg', '/art/og.svg']
test.each(images)('%s stands on its own and is light', (imageUrl) => {
  const svg = artwork(imageUrl)
  expect(svg).toMatch(/^<svg [^>]*viewBox="/)
  expect(Buffer.byteLength(svg)).toBeLessThan(MAX_ARTWORK_BYTES)
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<image|<text|<script|href="[^#]/)
})

test.each(demoProducts)(
  'the picture of $slug is in the colour of its row, which is its own',
  ({ slug, color, imageUrl }) => {
    expect(artwork(imageUrl)).toContain(`fill="${color}"`)
    expect(demoProducts.filter((other) => other.color === color).map((other) => other.slug)).toEqual([slug])
  },
)

test.each(demoPromotions)('$text.en can be read in white on its colour', ({ backgroundColor }) => {
  expect(backgroundColor).toMatch(/^#[0-9a-f]{6}$/)
  expect(1.05 / (luminance(backgroundColor) + 0.05)).toBeGreaterThan(4.5)
})

test.each(demoPromotions)('$text.en names no price, which may change before the promotion does', ({ text }) => {
  expect(Object.values(text).join()).not.toMatch(/\d|\$|₽/)
})

function wholeAndPositive({ gameAmount, priceUsd, priceRub, stock }: DemoProduct['offers'][number]): boolean {
  return [gameAmount, priceUsd, priceRub, stock + 1].every((n) => Number.isInteger(n) && n > 0)
}

function longestList({ offers }: DemoProduct): number {
  return Math.max(...[...Map.groupBy(offers, ({ region }) => region).values()].map((list) => list.length))
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((i) => {
    const share = Number.parseInt(colour.slice(i, i + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

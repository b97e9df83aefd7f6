import { firstShop } from '@olmos/contract/first-shop'
import { expect, test } from 'vitest'
import { withLook } from './own-look.ts'

const page = '<html><head><title>Olmos</title></head><body></body></html>'
const rendered = (own: Partial<typeof firstShop>, colorScheme: 'dark' | 'light' = 'dark') =>
  withLook(page, { ...firstShop, ...own }, { colorScheme, nonce: 'once' })
const hash = 'ab'.repeat(16)

test('a page of a shop without a look of its own has the store’s icons, and no style', () => {
  const icons =
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/><link rel="apple-touch-icon" href="/icon-whole-180.png"/>'
  for (const [scheme, ground] of [
    ['dark', '#0a0b0e'],
    ['light', '#f3f3ed'],
  ] as const)
    expect(rendered({}, scheme)).toBe(
      page.replace('</head>', `${icons}<meta name="theme-color" content="${ground}"/></head>`),
    )
})

test('an owner’s colours are a style of the page, each in its theme, and not on paper', () => {
  const html = rendered({ accent_dark: '#ffd400', ground_light: '#eef2ff' }, 'light')
  const [, nonce, styles = ''] = /<style nonce="(\w+)">([^<]*)<\/style>/.exec(html) ?? []
  expect(nonce).toBe('once')
  expect(styles).toMatch(/^@media screen\{.*\}$/)
  const [, dark = ''] = /scheme="dark"\]\{([^}]*)\}/.exec(styles) ?? []
  const [, light = ''] = /scheme="light"\]\{([^}]*)\}/.exec(styles) ?? []
  expect(dark).toContain('--olmos-accent:#ffd400;--olmos-on-accent:#0a0b0e;')
  expect(dark).not.toContain('--mantine-color-body')
  expect(light).toContain('--mantine-color-body:#eef2ff;')
  expect(light).not.toContain('--olmos-accent')
  expect(html).toContain('<meta name="theme-color" content="#eef2ff"/>')
})

test('an owner’s icon stands in for the mark', () => {
  const html = rendered({ icon: `/pictures/${hash}.png` })
  expect(html).toContain(`<link rel="icon" href="/pictures/${hash}-small.png" type="image/png"/>`)
  expect(html).toContain(`<link rel="apple-touch-icon" href="/pictures/${hash}-small.png"/>`)
  expect(html).not.toContain('favicon.svg')
})

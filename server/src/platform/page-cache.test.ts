import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'
import { renderedPage } from './rendered-page.ts'

const pageOf = (text: string, status = 200) => renderedPage(status, text, 'nonce')
const textOf = async (page: ReturnType<typeof pageOf>) => (await page).body.identity.toString()

test('renders once for many, until it is cleared', async () => {
  const cache = createPageCache(1_000)
  let renders = 0
  const render = () => pageOf(`page ${++renders}`)
  const pages = await Promise.all(Array.from({ length: 20 }, () => textOf(cache.get('/', render))))
  expect(new Set(pages)).toEqual(new Set(['page 1']))
  cache.clear()
  expect(await textOf(cache.get('/', render))).toBe('page 2')
})

test('serves the old page while it is renewed', async () => {
  let time = 0
  const cache = createPageCache(1_000, () => time)
  await cache.get('/', () => pageOf('old'))
  time = 1_001
  const renewal = pageOf('new')
  expect(await textOf(cache.get('/', () => renewal))).toBe('old')
  await renewal
  expect(await textOf(cache.get('/', () => pageOf('newer')))).toBe('new')
})

test('keeps neither failures nor refusals', async () => {
  const cache = createPageCache(1_000)
  await expect(cache.get('/', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect((await cache.get('/', () => pageOf('missing', 404))).status).toBe(404)
  expect(await textOf(cache.get('/', () => pageOf('there')))).toBe('there')
})

test('allows exactly the scripts that were rendered', async () => {
  const page = await pageOf('<script src="/a.js"></script><script nonce="x">go()</script><p>text</p>')
  expect(page.contentSecurityPolicy).toContain("script-src 'self' 'sha256-")
  expect(page.contentSecurityPolicy.match(/sha256-/g)).toHaveLength(1)
  expect(page.contentSecurityPolicy).toContain("style-src 'self' 'nonce-nonce'")
})

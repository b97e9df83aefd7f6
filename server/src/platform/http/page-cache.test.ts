import { expect, test } from 'vitest'
import { createPageCache, readPage, renderedPage } from './rendered-page.ts'

const toPage = async (text: string, status = 200) => renderedPage(readPage(status, `${text}</html>`, 'nonce'))
const toText = async (page: ReturnType<typeof toPage>) =>
  (await (await page).body('identity')).toString().replace('</html>', '')
const limits = { freshMs: 1_000, staleMs: 9_000, pagesAtMost: 3 }

test('renders once for many, until it is cleared', async () => {
  const cache = createPageCache(limits)
  let renders = 0
  const render = () => toPage(`page ${++renders}`)
  const pages = await Promise.all(Array.from({ length: 20 }, () => toText(cache.get('/', render))))
  expect(new Set(pages)).toEqual(new Set(['page 1']))
  cache.clear()
  expect(await toText(cache.get('/', render))).toBe('page 2')
})

test('serves the old page while it is renewed', async () => {
  let time = 0
  const cache = createPageCache(limits, () => time)
  await cache.get('/', () => toPage('old'))
  time = 1_001
  const renewal = toPage('new')
  expect(await toText(cache.get('/', () => renewal))).toBe('old')
  await renewal
  expect(await toText(cache.get('/', () => toPage('newer')))).toBe('new')
})

test('keeps neither failures nor refusals', async () => {
  const cache = createPageCache(limits)
  await expect(cache.get('/', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect((await cache.get('/', () => toPage('missing', 404))).status).toBe(404)
  expect(await toText(cache.get('/', () => toPage('there')))).toBe('there')
})

test('a page far past its time, or from before the catalogue changed, is waited for', async () => {
  let time = 0
  const cache = createPageCache(limits, () => time)
  await cache.get('/', () => toPage('old'))
  time = 10_000
  expect(await toText(cache.get('/', () => toPage('new')))).toBe('new')
  cache.clear()
  expect(await toText(cache.get('/', () => toPage('newest')))).toBe('newest')
})

test.each([
  ['fails', () => Promise.reject(new Error('no database'))],
  ['is 503', () => toPage('unavailable', 503)],
  ['is 500', () => toPage('broken', 500)],
  ['ends early', async () => renderedPage(readPage(200, '<html><body>half', 'nonce'))],
  ['is empty', async () => renderedPage(readPage(200, '', 'nonce'))],
])('a renewal that %s leaves the good page, for as long as it takes', async (_how, render) => {
  let time = 0
  const cache = createPageCache(limits, () => time)
  await cache.get('/', () => toPage('good'))
  for (const ms of [1_000, 1_001, 10_000, 1, 999, 1_000, 86_400_000]) {
    time += ms
    expect(await toText(cache.get('/', render))).toBe('good')
  }
  cache.clear()
  expect(await toText(cache.get('/', render))).toBe('good')
  cache.clear()
  expect(await toText(cache.get('/', () => toPage('better')))).toBe('better')
})

test('while pages cannot be rendered, not everybody waits for the next attempt, nor tries', async () => {
  let time = 0
  let attempts = 0
  const cache = createPageCache(limits, () => time)
  await cache.get('/', () => toPage('good'))
  time = 3_600_000
  const fail = async () => {
    attempts++
    throw new Error('no database')
  }
  for (const _ of [1, 2, 3]) expect(await toText(cache.get('/', fail))).toBe('good')
  expect(attempts).toBe(1)
  time += 1_000
  const hangs = new Promise<never>(() => {})
  expect(await toText(cache.get('/', () => hangs))).toBe('good')
})

test.each([404, 410])('a renewal that answers %i ends the page', async (status) => {
  let time = 0
  const cache = createPageCache(limits, () => time)
  await cache.get('/', () => toPage('there'))
  time = 10_000
  expect((await cache.get('/', () => toPage('gone', status))).status).toBe(status)
  await expect(cache.get('/', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
})

test('a page that was under way when the catalogue changed is kept for nobody', async () => {
  const cache = createPageCache(limits)
  let finish = (_page: ReturnType<typeof toPage>) => {}
  const before = cache.get('/', () => new Promise((resolve) => (finish = resolve)))
  await Promise.resolve()
  cache.clear()
  const after = cache.get('/', () => toPage('after'))
  expect(await toText(after)).toBe('after')
  finish(toPage('before'))
  expect(await toText(before)).toBe('before')
  expect(await toText(cache.get('/', () => toPage('later')))).toBe('after')
})

test('when there is no more room, the page goes that was asked for least lately', async () => {
  const cache = createPageCache(limits)
  for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.get(key, () => toPage(key))
  const rendered: string[] = []
  for (const key of ['a', 'c', 'd', 'b']) {
    await cache.get(key, () => {
      rendered.push(key)
      return toPage(key)
    })
  }
  expect(rendered).toEqual(['b'])
})

test('a page may be kept for the status it has', async () => {
  const cache = createPageCache(limits)
  await cache.get('missing', () => toPage('nothing here', 404), 404)
  expect(await toText(cache.get('missing', () => toPage('again', 404), 404))).toBe('nothing here')
})

test('allows exactly the scripts that were rendered', async () => {
  const page = await toPage('<script src="/a.js"></script><script nonce="nonce">go()</script><p>text</p>')
  expect(page.contentSecurityPolicy).toContain("script-src 'self' 'sha256-")
  expect(page.contentSecurityPolicy.match(/sha256-/g)).toHaveLength(1)
  expect(page.contentSecurityPolicy).toContain("style-src 'self' 'nonce-nonce'")
})

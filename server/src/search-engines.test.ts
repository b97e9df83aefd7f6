import { firstShop } from '@olmos/contract/first-shop'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveSearchEngines } from './page-address.ts'

const shop = { ...firstShop, pages: ['terms'] as const }

test('the sitemap has every page in every language, each naming all of them', async () => {
  const app = Fastify()
  app.get('/api/products', () => [{ slug: 'roblox' }])
  app.get('/api/topups', () => [{ slug: 'pubg' }])
  serveSearchEngines(app, { publicUrl: 'https://shop.example', shop: { read: async () => shop, clear() {} } })
  const { body } = await app.inject('/sitemap.xml')
  const pages = body.match(/<url>.*?<\/url>/g) ?? []
  const toLoc = (page: string) => /<loc>(.*?)<\/loc>/.exec(page)?.[1]
  expect(pages.map(toLoc).filter((address) => address?.includes('roblox'))).toEqual([
    'https://shop.example/products/roblox',
    'https://shop.example/products/roblox?lang=en',
    'https://shop.example/products/roblox?lang=uz',
  ])
  expect(pages.map(toLoc)).toContain('https://shop.example/pages/terms?lang=uz')
  expect(body).not.toContain('/pages/about')
  const alternates = pages
    .filter((page) => toLoc(page)?.includes('roblox'))
    .map((page) =>
      [...page.matchAll(/hreflang="(.*?)" href="(.*?)"/g)].map(([, language, address]) => [language, address]),
    )
  for (const named of alternates) {
    expect(named).toEqual([
      ['ru', 'https://shop.example/products/roblox'],
      ['en', 'https://shop.example/products/roblox?lang=en'],
      ['uz', 'https://shop.example/products/roblox?lang=uz'],
      ['x-default', 'https://shop.example/products/roblox'],
    ])
  }
  expect(alternates).toHaveLength(3)
  await app.close()
})

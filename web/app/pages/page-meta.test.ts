import { expect, test } from 'vitest'
import { pageMeta } from './page-meta.ts'

const readLinks = (url: string) =>
  pageMeta({ site: 'Shop', title: 'T', description: 'D', url, languages: ['ru', 'en', 'uz'] })
    .filter((one) => 'tagName' in one && one.tagName === 'link')
    .map((one) => {
      const { rel, hrefLang, href } = one as { rel: string; hrefLang?: string; href: string }
      return [hrefLang ?? rel, href]
    })

const bare = 'https://shop.example/products/roblox'

test.each([[bare], [`${bare}?lang=en`], [`${bare}?lang=uz`]])(
  '%s is canonical to itself and names all languages',
  (url) => {
    expect(readLinks(url)).toEqual([
      ['canonical', url],
      ['ru', bare],
      ['en', `${bare}?lang=en`],
      ['uz', `${bare}?lang=uz`],
      ['x-default', bare],
    ])
  },
)

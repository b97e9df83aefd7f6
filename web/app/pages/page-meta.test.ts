import { expect, test } from 'vitest'
import { pageMeta } from './page-meta.ts'

const sharedPicture = 'https://shop.example/art/og.jpg'
const page = { site: 'Shop', title: 'T', description: 'D', languages: ['ru', 'en', 'uz'], sharedPicture } as const

const readLinks = (url: string) =>
  pageMeta({ ...page, url })
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

test.each([
  [undefined, sharedPicture],
  ['https://shop.example/pictures/own.svg', sharedPicture],
  ['https://shop.example/pictures/own.png', 'https://shop.example/pictures/own.png'],
])('a page whose picture is %s is shared with %s', (image, shown) => {
  const told = pageMeta({ ...page, url: bare, ...(image && { image }) })
  expect(told).toContainEqual({ property: 'og:image', content: shown })
})

import { expect, test } from 'vitest'
import { readPageAddress } from './page-address.ts'

const written = (url: string) => {
  const { path, search } = readPageAddress(url)
  return path + search
}

test.each([
  ['/', '/'],
  ['/products/roblox?utm_source=tg&utm_medium=post&UTM_Campaign=a%26b', '/products/roblox'],
  ['/products?lang=uz&gclid=Cj0&fbclid', '/products?lang=uz'],
  ['/?yclid=7&ysclid=m4&_openstat=x', '/'],
  ['/products?search=utm_source&', '/products?search=utm_source'],
  ['/products?search=b?c&gclid=1', '/products?search=b%3Fc'],
  ['/orders?page=2&gclid=1', '/orders?page=2'],
])('%s is the page %s', (url, address) => expect(written(url)).toBe(address))

test.each([
  ['/Products/Roblox/', '/products/roblox'],
  ['/%70roducts/robl%6Fx', '/products/roblox'],
  ['/login//', '/login'],
  ['/support?q=1', '/support'],
  ['/products?a=b?c', '/products'],
  ['/products?search=', '/products'],
  ['/products/roblox?search=x&tab=activate', '/products/roblox'],
  ['/products/freefire?z=1&tab=activate', '/products/freefire?tab=activate'],
  ['/products/freefire?tab=topup', '/products/freefire'],
  ['/login?lang=en&lang=uz', '/login'],
  ['/login?lang[]=en', '/login'],
  ['/?lang=xx', '/'],
  ['/?utm_source=a&lang=en&z', '/?lang=en'],
])('%s is kept as %s', (url, address) => {
  expect(written(url)).toBe(address)
  expect(readPageAddress(url).isForEverybody).toBe(true)
})

test.each([
  ['/', true],
  ['/Products/Roblox?lang=en', true],
  ['/support/', true],
  ['/products?search=robux', false],
  ['/cart', false],
  ['/products/roblox/more', false],
  ['/products%2froblox', false],
  ['/products/a%5cb', false],
  ['/products/a%23', false],
  ['/products/a%3Fb', false],
  ['/products/a%00', false],
  ['/products/рoblox', false],
  ['/products/__proto__', false],
])('%s is the same for everybody: %s', (url, isSame) => expect(readPageAddress(url).isForEverybody).toBe(isSame))

test.each([
  ['/cart?lang=uz', 'uz'],
  ['/login?lang=en', 'en'],
  ['/login?lang=de', undefined],
  ['/login?lang=en&lang=en', undefined],
  ['/login', undefined],
])('%s names the language %s', (url, language) => expect(readPageAddress(url).language).toBe(language))

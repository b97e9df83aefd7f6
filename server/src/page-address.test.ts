import { expect, test } from 'vitest'
import { isForEverybody, pageAddress } from './page-address.ts'

test.each([
  ['/', '/'],
  ['/products/roblox?utm_source=tg&utm_medium=post&UTM_Campaign=a%26b', '/products/roblox'],
  ['/products?lang=uz&gclid=Cj0&fbclid', '/products?lang=uz'],
  ['/?yclid=7&ysclid=m4&_openstat=x', '/'],
  ['/products?search=utm_source&', '/products?search=utm_source'],
  ['/products?a=b?c&gclid=1', '/products?a=b?c'],
])('%s is the page %s', (url, address) => expect(pageAddress(url)).toBe(address))

test.each([
  ['/', true],
  ['/Products/Roblox?lang=en', true],
  ['/support/', true],
  ['/products?search=robux', false],
  ['/cart', false],
  ['/products/roblox/more', false],
])('%s is the same for everybody: %s', (address, isSame) => expect(isForEverybody(address)).toBe(isSame))

import { expect, type Page } from '@playwright/test'
import { open, test } from './customer.ts'

/** Texts of links and buttons that can be seen on the screen and lie under something else. The header is let alone. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const headerBottom = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const controls = [...document.querySelectorAll('main a[href], main button:enabled, footer a[href]')]
    return controls
      .filter((control) => {
        const { left, top, width, height } = control.getBoundingClientRect()
        const [x, y] = [left + width / 2, top + height / 2]
        if (width === 0 || y < headerBottom || y > window.innerHeight || x < 0 || x > window.innerWidth) return false
        const seen = document.elementFromPoint(x, y)
        return !(seen && (control.contains(seen) || seen.contains(control)))
      })
      .map((control) => control.textContent)
  })

test('at the end of a page nothing that floats lies over a link or a button', async ({ page }) => {
  for (const path of [
    '/',
    '/products',
    '/products/roblox',
    '/products/pubg',
    '/products/steam',
    '/support',
    '/login',
  ]) {
    await open(page, path)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    expect(await covered(page), path).toEqual([])
  }
})

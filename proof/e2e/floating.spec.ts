import { expect, type Page } from '@playwright/test'
import { open, test } from './customer.ts'

/** Texts of links and buttons that are on the screen, below the rows that stay at its top, and lie under something else. */
const covered = (page: Page) =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll('header, search, [data-top-bar]')].map(
      (bar) => bar.getBoundingClientRect().bottom,
    )
    const headerBottom = Math.max(0, ...bars)
    const isUnderSomething = (control: Element) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const isOnScreen = x > 0 && x < window.innerWidth && y > headerBottom && y < window.innerHeight
      const seen = document.elementFromPoint(x, y)
      return isOnScreen && !(seen && (control.contains(seen) || seen.contains(control)))
    }
    return [...document.querySelectorAll('main a[href], main button:enabled, footer a[href]')]
      .filter((control) => control.checkVisibility() && isUnderSomething(control))
      .map((control) => control.textContent)
  })

const paths = ['/', '/products', '/products/roblox', '/products/pubg', '/products/steam', '/support', '/login']
const widths = [360, 430, 600, 768, 1024, 1440]

test('at the end of a page nothing that floats lies over a link or a button', async ({ page }) => {
  for (const path of paths) {
    await open(page, path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      expect(await covered(page), `${path} at ${width} px`).toEqual([])
    }
  }
})

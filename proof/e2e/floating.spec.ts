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

/** What a finger presses and is lower than a finger is wide. Links within a sentence are as high as its lines. */
const tooLow = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('header, main, footer, dialog')]
      .flatMap((part) => [
        ...part.querySelectorAll('a[href], button, label:has(input), input:not([type=radio], [type=checkbox]), select'),
      ])
      .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.closest('p, svg, dd'))
      .filter((target) => target.getBoundingClientRect().height < 43.5)
      .map((target) => `${target.tagName} ${target.textContent || target.getAttribute('aria-label')}`),
  )

const games = ['roblox', 'fortnite', 'pubg', 'steam', 'freefire', 'freefire?tab=activate']
const pressed = ['/', '/products', ...games.map((game) => `/products/${game}`)]

test('what is pressed on a phone is as high as a finger is wide', async ({ page, isMobile }) => {
  test.skip(!isMobile, 'a mouse is finer')
  for (const path of pressed) {
    await open(page, path)
    expect(await tooLow(page), path).toEqual([])
  }
  await open(page, '/')
  await page.locator('header button[aria-haspopup=dialog]').click()
  expect(await tooLow(page), 'the menu').toEqual([])
})

import { expect, type Locator, type Page } from '@playwright/test'
import { addToCart, giveBalance, labels, open, register, test } from './customer.ts'
import { ru } from './ru.ts'
import { prepareControls } from './screens/controls.ts'

/** More stops than any page of the shop has before what is wanted. */
const mostStops = 90

/** Somebody who has a keyboard and nothing else, and looks at where the focus is at every stop. */
class Keys {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Presses Tab until it is there. */
  async goTo(target: Locator): Promise<void> {
    await expect(target).toBeVisible()
    for (let stop = 0; stop < mostStops; stop++) {
      await this.press('Tab')
      await this.lookAtFocus()
      if (await hasFocus(target)) return
    }
    throw new Error(`${target} is not reached with Tab`)
  }

  async pressOn(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await this.goTo(target)
    await this.press(key)
  }

  /** The focus is somewhere, is seen there, and nothing lies over it. */
  async lookAtFocus(): Promise<void> {
    // What scrolls there may still be on its way.
    await expect.poll(() => this.#page.evaluate(judgeFocus)).toBe('seen')
  }
}

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)

function judgeFocus(): string {
  /** A field may be marked by its edge: it is another one than that of its twin, which has no focus. */
  const isEdged = (field: HTMLElement) => {
    if (!field.matches('input:not([type=radio], [type=checkbox]), textarea, select')) return false
    const twin = field.cloneNode() as HTMLElement
    field.after(twin)
    const isOther = getComputedStyle(twin).borderColor !== getComputedStyle(field).borderColor
    twin.remove()
    return isOther
  }
  const focused = document.activeElement as HTMLElement | null
  // After the last stop of a page, or of a dialog, the browser's own controls come, and then its first.
  if (!focused || focused === document.body) return 'seen'
  const { readFace, readLabel } = window.olmosControls
  const face = readFace(focused)
  // Where a whole card is the button, the mark is drawn by what stretches the button over it.
  const isMarked = [focused, face, focused.parentElement].some((element) =>
    ['', '::before', '::after'].some((part) => {
      if (!element || (part !== '' && getComputedStyle(element, part).content === 'none')) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1.5
    }),
  )
  if (!isMarked && !isEdged(focused)) return `no mark of the focus on ${readLabel(focused)}`
  const { left, right, top, bottom } = face.getBoundingClientRect()
  const isUncovered = [0.1, 0.5, 0.9].some((share) =>
    [0.1, 0.5, 0.9].some((other) => {
      const hit = document.elementFromPoint(left + (right - left) * share, top + (bottom - top) * other)
      return hit !== null && (face.contains(hit) || hit.contains(face))
    }),
  )
  return isUncovered ? 'seen' : `something lies over ${readLabel(focused)}`
}

test.beforeEach(async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
})

/** A customer on the home page, with the focus where a page begins. */
async function begin(page: Page): Promise<Keys> {
  await register(page)
  await giveBalance(page, { balanceRub: 2_000 })
  await open(page, '/')
  await prepareControls(page)
  return new Keys(page)
}

const main = (page: Page) => page.getByRole('main')
/** The one among all games; those of the gem are no stops, and the featured ones stand behind however many games there are. */
const tile = (page: Page, slug: string) =>
  main(page).locator(`a[href="/products/${slug}"]:not([tabindex="-1"])`).first()
const payFromBalance = (page: Page) => page.getByRole('button', { name: /^Оплатить .* с баланса$/ })
const paid = (page: Page) => page.getByRole('region', { name: ru('orders.paidNow') })

test('with a keyboard alone: from home to a copied code', async ({ page }) => {
  const keys = await begin(page)
  await keys.press('Tab')
  const skip = page.getByRole('link', { name: ru('header.skip') })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await keys.press('Enter')
  // Past the header: the next stop is in the page itself.
  await keys.press('Tab')
  await keys.lookAtFocus()
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)

  await keys.pressOn(tile(page, 'fortnite'))
  await expect(page).toHaveURL('/products/fortnite')
  const regions = page.getByRole('radiogroup', { name: ru('product.chooseRegion') })
  await keys.goTo(regions.getByRole('radio', { checked: true }))
  await keys.press('ArrowRight')
  await keys.lookAtFocus()
  await expect(regions.getByRole('radio').nth(1)).toBeChecked()
  const packages = page.getByRole('radiogroup', { name: ru('product.choosePackage') })
  await expect(packages.getByRole('radio').first()).toBeVisible()
  await keys.goTo(packages.getByRole('radio', { checked: true }))
  await keys.press('ArrowRight', 'ArrowLeft')
  await keys.lookAtFocus()

  const buyNow = page.getByRole('button', { name: ru('product.buyNow') })
  await keys.pressOn(buyNow)
  const sheet = page.getByRole('dialog', { name: ru('product.buyNow') })
  await expect(sheet).toBeVisible()
  // The focus is in it, stays in it, and is back where it was once Escape has closed it.
  for (let stop = 0; stop < 6; stop++) {
    await keys.press('Tab')
    await keys.lookAtFocus()
    const isInside = await sheet.evaluate((dialog) => {
      const focused = document.activeElement
      return focused === document.body || dialog.contains(focused)
    })
    expect(isInside).toBe(true)
  }
  await keys.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(buyNow).toBeFocused()
  await keys.press('Space')
  await keys.pressOn(payFromBalance(page))

  await expect(page).toHaveURL('/orders')
  const ticket = paid(page).getByRole('button', { name: ru('receipt.revealCode', { number: '1' }) })
  await keys.pressOn(ticket)
  await expect(paid(page).getByText(ru('receipt.copied'), { exact: true })).toBeVisible()
  const code = await paid(page).locator('code').textContent()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(code)
  // The ticket has kept the focus: it is the same button, with another name.
  await expect(paid(page).getByRole('button', { name: ru('receipt.copyCode', { number: '1' }) })).toBeFocused()
})

test('with a keyboard alone: from home to a top-up under way', async ({ page }) => {
  const keys = await begin(page)
  await keys.pressOn(tile(page, 'freefire'))
  await expect(page).toHaveURL('/products/freefire')
  await keys.goTo(page.getByLabel(labels.playerId))
  await page.keyboard.type('5126005')
  await keys.press('Enter')
  // The fields fold away, and the focus goes to what unfolds them.
  await expect(page.getByRole('button', { name: ru('topups.change') })).toBeFocused()
  await keys.lookAtFocus()

  const packages = page.getByRole('radiogroup', { name: ru('product.choosePackage') })
  await keys.goTo(packages.getByRole('radio').first())
  await keys.press('Space')
  await keys.lookAtFocus()
  await expect(packages.getByRole('radio').first()).toBeChecked()
  await keys.press('ArrowRight')
  await expect(packages.getByRole('radio').nth(1)).toBeChecked()
  await keys.pressOn(page.getByRole('button', { name: ru('topups.topUpNow') }))
  await expect(page).toHaveURL('/checkout')
  await keys.pressOn(payFromBalance(page))
  await expect(page).toHaveURL('/orders')
  await expect(paid(page).getByRole('status').first()).toHaveText(ru('receipt.onItsWay'))
  await keys.pressOn(page.getByRole('link', { name: /^Заказ [0-9A-Z]{10}/ }).first())
  await expect(page).toHaveURL(/\/orders\/[0-9A-Z]{10}$/)
})

test('with a keyboard alone: a question and the two menus of the header give the focus back', async ({
  page,
  isMobile,
}) => {
  await register(page)
  await addToCart(page, 1)
  await open(page, '/cart')
  await prepareControls(page)
  const keys = new Keys(page)

  const locale = page.locator('header button[aria-haspopup=menu]')
  await keys.goTo(locale)
  await keys.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Русский' })).toBeFocused()
  await keys.press('ArrowDown')
  await keys.lookAtFocus()
  await expect(page.getByRole('menuitem', { name: 'English' })).toBeFocused()
  await keys.press('Escape')
  await expect(locale).toBeFocused()

  if (isMobile) {
    const menu = page.locator('header button[aria-haspopup=dialog]')
    await keys.pressOn(menu)
    await expect(page.getByRole('dialog', { name: ru('header.menu') })).toBeVisible()
    await keys.press('Escape')
    await expect(menu).toBeFocused()
  }

  const clear = page.getByRole('button', { name: ru('cart.clear') })
  await keys.pressOn(clear)
  const question = page.getByRole('dialog', { name: ru('cart.clearTitle') })
  await expect(question).toBeVisible()
  await keys.goTo(question.getByRole('button', { name: ru('cart.keep') }).last())
  await keys.press('Escape')
  await expect(question).toBeHidden()
  await expect(clear).toBeFocused()
})

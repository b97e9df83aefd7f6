import type { FailureCode } from '@olmos/contract/failure-codes'
import type { Page } from 'playwright'
import type { TextKey } from '../../../web/app/i18n/texts.ts'
import type { World } from './world.ts'

/**
 * What becomes of a call: no answer ever comes, the network loses it, the store refuses it, or answers with this, or with
 * what this makes of its answer.
 */
export type Fate =
  | 'delayed'
  | 'lost'
  | { refused: FailureCode; details?: object }
  | { answered: object }
  // biome-ignore lint/suspicious/noExplicitAny: an answer is of the shape of its call
  | { changed(answer: any): object }

/** The text of a key in the language of the page, in any of its plural forms, with anything in the place of its values. */
export type TextPattern = (key: TextKey) => RegExp

/** One picture's worth of the store. */
export interface Screen {
  /** Its first word is what it is a state of: `cart-empty` is the cart. */
  name: string
  path: string | ((world: World) => string)
  /** Who looks; a visitor when left out. */
  as?: 'customer' | 'newcomer' | 'admin'
  /** Calls that don't go the usual way: path below /api, as a regular expression -> what becomes of it. */
  calls?: Record<string, Fate>
  /** What the browser has kept since the visit before. */
  kept?: Record<string, string>
  /** What the page before handed over with its link. */
  handed?(world: World): object
  /** What is pressed, in words of no language or in those of the page. */
  prepare?(page: Page, text: TextPattern): Promise<void>
  /** Key of a text that stands there in the end. */
  says?: TextKey
  /** Selector of what is there in the end. */
  shows?: string
  /** Where it is something of its own: a menu that only a phone has, what a printer gets. */
  only?: 'phone' | 'desktop'
}

/** How a screen is looked at: in which width, language and theme. */
export interface View {
  name: string
  width: number
  language: 'ru' | 'en' | 'uz'
  theme: 'dark' | 'light'
}

/** What a screen is, or is a state of. */
export const toSubject = ({ name }: Pick<Screen, 'name'>): string => name.split('-')[0] ?? name

const phoneWidth = 600

export const isPhone = ({ width }: Pick<View, 'width'>): boolean => width < phoneWidth
export const isSeen = ({ only }: Screen, view: View): boolean => !only || (only === 'phone') === isPhone(view)

export const main = (page: Page) => page.locator('main')
export const submit = (page: Page) => main(page).locator('button[type=submit]').first().click()
/** The button at the thumb, beside the steps on a desktop. */
export const act = (page: Page) => page.locator('[data-thumb-bar] button').last().click()
/** Presses a button by its words; the last one that has them, as what lies over the page stands at its end. */
export const press = (page: Page, words: RegExp) => page.getByRole('button', { name: words }).last().click()
export const openDialog = (page: Page) => main(page).locator('button[aria-haspopup=dialog]').click()
/** Presses the first button of the profile that opens a dialog; the contact has one, too. */
export const openTopUp = (page: Page) => main(page).locator('button[aria-haspopup=dialog]').first().click()
/** Fills the fields of the first form of the page, in their order. */
export async function fill(page: Page, ...texts: string[]): Promise<void> {
  const fields = main(page).locator('form').first().locator('input:not([hidden]), textarea')
  for (const [at, text] of texts.entries()) await fields.nth(at).fill(text)
}
/** Types a player's ID, in place of one that is remembered and folded, and presses Find. */
export async function askForPlayer(page: Page, playerId = '5123456'): Promise<void> {
  const field = main(page).locator('input[name="account.player_id"]')
  const unfold = main(page).locator('button[name="account.-change"]')
  await field.or(unfold).waitFor()
  if (await unfold.isVisible()) await unfold.click()
  await field.fill(playerId)
  await submit(page)
}
/** Has a player found, and takes the notice of it away. */
export async function findPlayer(page: Page): Promise<void> {
  await askForPlayer(page)
  await main(page).getByText('Player_3456').first().waitFor()
  await page.locator('.no-print[aria-live] button').click()
}
/** What is said of a product is loaded when it is about to be seen. */
export const scrollToReviews = (page: Page, text: TextPattern) =>
  main(page)
    .getByRole('heading', { name: text('reviews.title') })
    .scrollIntoViewIfNeeded()
/** Gives the first line of a receipt four stars of five. */
export const rate = (page: Page) => main(page).locator('fieldset').first().getByRole('radio').nth(3).check()
export async function chooseDiamonds(page: Page): Promise<void> {
  await main(page).getByRole('radio').nth(3).click()
  await findPlayer(page)
}
export async function typeSteam(page: Page): Promise<void> {
  await main(page).locator('input[spellcheck=false]').fill('gabe_2007')
  await main(page).locator('input[inputmode=decimal]').fill('1500')
}

import { test as base, expect, type Page } from '@playwright/test'
import { SERVER_BUSINESS } from '../../server/src/business.ts'
import { axeOn, isTooWide, watchConsole } from './complaints.ts'
import { newNickname } from './customer.ts'
import { customerScreens } from './screens/customer.ts'
import { isSeen, type Screen, type View } from './screens/screen.ts'
import { leave, openBrowser, type Place, showScreen } from './screens/show.ts'
import { states } from './screens/states.ts'
import { makeWorld } from './screens/world.ts'

/** Half of the time that an unpaid order waits. */
const freshMs = SERVER_BUSINESS.reservationMinutes * 30_000

/** People and orders of this worker, replaced before what is still to be paid for expires. */
const test = base.extend<{ place: Place }, { freshPlace(): Promise<Place> }>({
  freshPlace: [
    async ({ browser: _ }, use) => {
      const url = process.env.STORE_URL ?? ''
      let made: { place: Place; at: number } | undefined
      await use(async () => {
        if (!made || Date.now() - made.at > freshMs) {
          const world = await makeWorld(url, { customer: newNickname(), newcomer: newNickname() })
          made = { place: { url, world }, at: Date.now() }
        }
        return made.place
      })
    },
    { scope: 'worker' },
  ],
  place: async ({ freshPlace }, use) => use(await freshPlace()),
})

/** Words that are nobody's: a text that was not filled in, or a key without a text. */
const unfinished = (page: Page) =>
  page.evaluate(() => document.body.innerText.match(/\{\{\w+\}\}|\b[a-z]+(\.[a-z]+[A-Z]\w*)+\b/)?.[0])

/** Names for screen readers that nobody put into Russian, as components bring them along. */
const notInRussian = (page: Page) =>
  page.evaluate(() => {
    const names = ['aria-label', 'aria-roledescription', 'title', 'placeholder', 'alt']
    const elements = [...document.querySelectorAll(names.map((name) => `body [${name}]`).join())].filter(
      (element) => !element.closest('[aria-hidden=true]'),
    )
    const texts = elements.flatMap((element) => names.map((name) => element.getAttribute(name) ?? ''))
    return texts.filter((text) => /[a-z]{2}/i.test(text) && !/[а-яё]/i.test(text))
  })

async function complaintsAbout(page: Page, place: Place, screen: Screen, view: View): Promise<string[]> {
  const complaints = watchConsole(page)
  try {
    await showScreen(page, place, screen, view)
    if (await isTooWide(page)) complaints.push('wider than the screen')
    const words = await unfinished(page)
    if (words) complaints.push(`says ${words}`)
    if (view.language === 'ru') complaints.push(...(await notInRussian(page)).map((text) => `not in Russian: ${text}`))
    complaints.push(...(await axeOn(page)))
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  return complaints.map((complaint) => `${screen.name}: ${complaint}`)
}

const onlookers = [undefined, 'customer', 'newcomer', 'admin'] as const

/** What is shown for a moment is walked in the languages with the longest words. */
const walks = [
  { what: 'screens', list: customerScreens, languages: ['ru', 'en', 'uz'] },
  { what: 'states', list: states, languages: ['ru', 'uz'] },
] as const

test.describe.configure({ mode: 'parallel' })

/** As many as one test walks well within its time, on a machine that has other things to do. */
const ofOneTest = 16

const toParts = (list: readonly Screen[]): Screen[][] =>
  Array.from({ length: Math.ceil(list.length / ofOneTest) }, (_, at) =>
    list.slice(at * ofOneTest, (at + 1) * ofOneTest),
  )

for (const { what, list, languages } of walks) {
  for (const language of languages) {
    for (const as of onlookers) {
      const parts = toParts(list.filter((screen) => screen.as === as))
      for (const [at, part] of parts.entries()) {
        const which = parts.length > 1 ? `, ${at + 1} of ${parts.length}` : ''
        test(`${what} of ${as ?? 'a visitor'} in ${language}${which}: nothing complains, overflows or shuts anybody out`, async ({
          browser,
          place,
          viewport,
        }) => {
          const view: View = { name: language, width: viewport?.width ?? 0, language, theme: 'dark' }
          const all: string[] = []
          const context = await openBrowser(browser, place, view, as)
          for (const screen of part.filter((one) => isSeen(one, view))) {
            const page = await context.newPage()
            all.push(...(await complaintsAbout(page, place, screen, view)))
            await leave(page)
          }
          await context.close()
          expect(all).toEqual([])
        })
      }
    }
  }
}

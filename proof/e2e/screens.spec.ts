import { type Browser, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { everyRuleOn, isTooWide, watchConsole } from './complaints.ts'
import { newNickname } from './customer.ts'
import { toParts } from './parts.ts'
import { blocksInButtons, misfits, prepareControls, smallTargets } from './screens/controls.ts'
import { customerScreens } from './screens/customer.ts'
import { unseenChoices, unseenControls } from './screens/forced-colors.ts'
import { wrongNames } from './screens/names.ts'
import { isPhone, isSeen, type Screen, toSubject, type View } from './screens/screen.ts'
import { enlargeText, leave, openBrowser, type Place, showScreen } from './screens/show.ts'
import { states } from './screens/states.ts'
import { keepFresh, lengthenNames, longNicknames, makeWorld } from './screens/world.ts'
import { startStore } from './start-store.ts'

/*
 * What is looked at, and how often. A finding of axe, a target and a line that does not fit depend on the screen and on its
 * size, and hardly on the language, so that each is asked about once:
 * - on a phone every screen is shown in three languages and every state in the two with the longest words. Words, names
 *   for screen readers, the console and the width are judged each time;
 * - one of these visits, another language for every next screen, is a whole one: axe by all rules in both themes, targets
 *   for fingers, text of 200 %, and 320 px, which is 400 % of what a desktop has;
 * - on a desktop everything is shown once, another language for every next screen, and axe is asked in both themes;
 * - forced colours and long names are about parts that screens share, and are looked at on a phone in one language.
 * The studio takes pictures of the same list in every width, language and theme: `npm --prefix studio run screens`.
 */
const languages = ['ru', 'en', 'uz'] as const
const wordy = ['ru', 'uz'] as const
/** What all three of them are looked at in is a theme each: the switch of themes has done the rest. */
const themes = { ru: 'dark', en: 'light', uz: 'dark' } as const

/** The width of a desktop's 1280 px at 400 %. */
const narrow = { width: 320, height: 740 }

/**
 * People and orders of this worker, in a store of its own: other journeys add products that have no translation, and names
 * that no screen is drawn for.
 */
const test = base.extend<{ place: Place }, { freshPlace(): Promise<Place> }>({
  freshPlace: [
    async ({ browser: _ }, use) => {
      const store = await startStore()
      try {
        await use(keepFresh(store.url, () => ({ customer: newNickname(), newcomer: newNickname() })))
      } finally {
        await store.stop()
      }
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

type Check = (page: Page, view: View) => Promise<string[]>

/** What is judged at each visit. */
const readWords: Check = async (page, { language }) => {
  const words = await unfinished(page)
  return [
    ...((await isTooWide(page)) ? ['wider than the screen'] : []),
    ...(words ? [`says ${words}`] : []),
    ...(await wrongNames(page, language)),
    ...(language === 'ru' ? (await notInRussian(page)).map((text) => `not in Russian: ${text}`) : []),
  ]
}

/** What is judged once. */
const lookClosely: Check = async (page, view) => {
  // A press may have scrolled: what stands half under the header would be too small a target.
  await page.evaluate(() => scrollTo(0, 0))
  const complaints = await everyRuleOn(page)
  if (!isPhone(view)) return complaints
  await prepareControls(page)
  complaints.push(...(await smallTargets(page)), ...(await blocksInButtons(page)))
  await enlargeText(page, 2)
  complaints.push(...(await misfits(page)).map((complaint) => `text of 200 %: ${complaint}`))
  await enlargeText(page, 1)
  await page.setViewportSize(narrow)
  complaints.push(...(await misfits(page)).map((complaint) => `320 px: ${complaint}`))
  return complaints
}

interface Visit {
  screen: Screen
  view: View
  checks: Check[]
}

async function complaintsAbout(page: Page, place: Place, { screen, view, checks }: Visit): Promise<string[]> {
  const complaints = watchConsole(page)
  try {
    await showScreen(page, place, screen, view)
    for (const check of checks) complaints.push(...(await check(page, view)))
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  return complaints.map((complaint) => `${screen.name} in ${view.language}: ${complaint}`)
}

/** Makes visits in one browser, each on a page of its own; they are of one onlooker and one view. */
async function visitAll(browser: Browser, place: Place, visits: Visit[], options: BrowserContextOptions = {}) {
  const [first] = visits
  if (!first) return []
  const all: string[] = []
  const context = await openBrowser(browser, place, first.view, first.screen.as, options)
  for (const visit of visits) {
    const page = await context.newPage()
    all.push(...(await complaintsAbout(page, place, visit)))
    await leave(page)
  }
  await context.close()
  return all
}

const onlookers = [undefined, 'customer', 'newcomer', 'admin'] as const

const toView = (width: number, language: View['language']): View => ({
  name: language,
  width,
  language,
  theme: themes[language],
})

/** The visits that one size pays to a list. */
function planVisits(list: readonly Screen[], width: number, shownIn: readonly View['language'][]): Visit[] {
  const turn = isPhone({ width }) ? 0 : 1
  return list.flatMap((screen, at) => {
    const closeIn = shownIn[(at + turn) % shownIn.length]
    return shownIn
      .map((language) => toView(width, language))
      .filter((view) => isSeen(screen, view) && (isPhone(view) || view.language === closeIn))
      .map((view) => ({ screen, view, checks: view.language === closeIn ? [readWords, lookClosely] : [readWords] }))
  })
}

test.describe.configure({ mode: 'parallel' })

const ofOneTest = 12

const walks = [
  { what: 'screens', list: customerScreens, shownIn: languages },
  { what: 'states', list: states, shownIn: wordy },
] as const

for (const { what, list, shownIn } of walks) {
  for (const language of shownIn) {
    for (const as of onlookers) {
      // How many there are differs with the size, which a test knows only when it runs.
      const most = toParts(
        list.filter((screen) => screen.as === as),
        ofOneTest,
      ).length
      for (let at = 0; at < most; at++) {
        const which = most > 1 ? `, ${at + 1} of ${most}` : ''
        test(`${what} of ${as ?? 'a visitor'} in ${language}${which}: nothing complains, overflows or shuts anybody out`, async ({
          browser,
          place,
          viewport,
        }) => {
          const visits = planVisits(list, viewport?.width ?? 0, shownIn).filter(
            ({ screen, view }) => screen.as === as && view.language === language,
          )
          const part = toParts(visits, ofOneTest)[at] ?? []
          test.skip(part.length === 0, 'this size sees them in another language')
          expect(await visitAll(browser, place, part)).toEqual([])
        })
      }
    }
  }
}

/** Every screen in colours that a reader has chosen instead of the shop's. */
const inForcedColors: Check[] = [unseenControls, unseenChoices]

for (const as of onlookers) {
  const parts = toParts(
    customerScreens.filter((screen) => screen.as === as && screen.only !== 'desktop'),
    ofOneTest,
  )
  for (const [at, part] of parts.entries()) {
    test(`forced colours of ${as ?? 'a visitor'}, ${at + 1} of ${parts.length}: every control is seen, and every choice`, async ({
      browser,
      place,
      viewport,
      isMobile,
    }) => {
      test.skip(!isMobile, 'parts are the same on a desktop')
      const view = toView(viewport?.width ?? 0, 'ru')
      const visits = part.map((screen) => ({ screen, view, checks: inForcedColors }))
      expect(await visitAll(browser, place, visits, { forcedColors: 'active' })).toEqual([])
    })
  }
}

/** Where a shop's own names stand. */
const naming = ['home', 'products', 'product', 'freefire', 'pubg', 'cart', 'checkout', 'orders', 'receipt', 'profile']

test('the longest names fit on a phone', async ({ browser, isMobile, viewport }) => {
  test.skip(!isMobile, 'where there is little room')
  test.slow()
  const store = await startStore()
  try {
    await lengthenNames(store.url)
    const place = { url: store.url, world: await makeWorld(store.url, longNicknames(0)) }
    const view = toView(viewport?.width ?? 0, 'ru')
    const fits: Check = async (page) => {
      await prepareControls(page)
      return misfits(page, { isClampingFine: true })
    }
    const all: string[] = []
    for (const as of onlookers) {
      const visits = customerScreens
        .filter((screen) => screen.as === as && isSeen(screen, view) && naming.includes(toSubject(screen)))
        .map((screen) => ({ screen, view, checks: [fits] }))
      all.push(...(await visitAll(browser, place, visits)))
    }
    expect(all).toEqual([])
  } finally {
    await store.stop()
  }
})

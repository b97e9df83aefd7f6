import { failureStatus } from '@olmos/contract/failure-codes'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request, Route } from 'playwright'
import { en } from '../../../web/app/i18n/en.ts'
import { ru } from '../../../web/app/i18n/ru.ts'
import type { TextKey } from '../../../web/app/i18n/texts.ts'
import { uz } from '../../../web/app/i18n/uz.ts'
import { isPhone, type Screen, type TextPattern, type View } from './screen.ts'
import type { World } from './world.ts'

const patienceMs = 20_000
const quietMs = 120
/** A little sharper than the screen is wide: small enough to keep many pictures of it. */
const phoneScale = 1.5

/** The store, and who is in it. */
export interface Place {
  url: string
  world: World
}

/** A browser as somebody has it open. */
export async function openBrowser(
  browser: Browser,
  { url, world }: Place,
  view: View,
  as: Screen['as'],
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { width, language, theme } = view
  const context = await browser.newContext({
    ...options,
    baseURL: url,
    viewport: { width, height: isPhone(view) ? 740 : 900 },
    deviceScaleFactor: isPhone(view) ? phoneScale : 1,
    isMobile: isPhone(view),
    hasTouch: isPhone(view),
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  context.setDefaultTimeout(patienceMs)
  await context.addCookies(Object.entries({ language, theme }).map(([name, value]) => ({ name, value, url })))
  const kept = { language, 'mantine-color-scheme-value': theme, ...(as && world[as]) }
  await context.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, String(value))
  }, kept)
  return context
}

/** Opens a screen on the page and waits until it is as it stays. */
export async function showScreen(page: Page, { world }: Place, screen: Screen, { language }: View): Promise<void> {
  const calls = await decideCalls(page, screen)
  const text: TextPattern = (key) => textIn(language, key)
  await page.addInitScript(remember, { kept: screen.kept ?? {}, handed: screen.handed?.(world) })
  await page.goto(typeof screen.path === 'string' ? screen.path : screen.path(world))
  const isAlive = !screen.path.toString().endsWith('.html')
  if (isAlive) await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  if (screen.prepare) {
    await settle(page, calls)
    await screen.prepare(page, text)
  }
  if (screen.says) await hasText(page, text(screen.says))
  if (screen.shows) await page.locator(screen.shows).first().waitFor()
  await settle(page, calls)
}

/** Runs before the page does: what is handed over is where the router keeps the state of a place. */
function remember({ kept, handed }: { kept: Record<string, string>; handed: object | undefined }): void {
  for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value)
  if (handed && history.state === null) history.replaceState({ usr: handed, key: 'handed', idx: 0 }, '')
}

const texts = { ru, en, uz }
const plurals = ['', '_one', '_few', '_many', '_other']

/** The text of a key, in any of its plural forms, with anything in the place of its values. */
export function textIn(language: View['language'], key: TextKey): RegExp {
  const names = key.split('.')
  const last = names.pop()
  const group = names.reduce<unknown>((found, name) => Object(found)[name], texts[language])
  const forms = plurals.map((form) => Object(group)[last + form]).filter((text) => typeof text === 'string')
  if (forms.length === 0) throw new Error(`there is no text ${key} in ${language}`)
  return new RegExp(forms.map(textPattern).join('|'))
}

const textPattern = (text: string): string =>
  text
    .replace(/<\/?\w+>/g, '')
    .split(/\{\{\w+\}\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s/g, '\\s'))
    .join('.*')

const hasText = (page: Page, text: RegExp) =>
  page
    .getByText(text)
    .or(page.getByRole('button', { name: text }))
    .filter({ visible: true })
    .first()
    .waitFor()

interface Calls {
  /** They have no answer yet. */
  open: Set<Request>
  /** They never get one. */
  delayed: Set<Request>
  /** Whether there are to be such. */
  isDelaying: boolean
}

/** Sends the calls of a page where the screen wants them. The one that stays open for news counts as none. */
async function decideCalls(page: Page, screen: Pick<Screen, 'calls'>): Promise<Calls> {
  const isDelaying = Object.values(screen.calls ?? {}).includes('delayed')
  const calls: Calls = { open: new Set(), delayed: new Set(), isDelaying }
  page.on('request', (request) => request.url().endsWith('/events') || calls.open.add(request))
  const end = (request: Request) => calls.open.delete(request)
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  for (const [path, fate] of Object.entries(screen.calls ?? {})) {
    await page.route(new RegExp(`/api${path}(\\?.*)?$`), (route) => {
      if (fate === 'delayed') return void calls.delayed.add(route.request())
      if (fate === 'lost') return route.abort()
      if ('answered' in fate) return route.fulfill({ json: fate.answered })
      if ('changed' in fate) return change(route, fate.changed)
      const { refused: code, details = {} } = fate
      return route.fulfill({ status: failureStatus[code], json: { error: { code, message: code, details } } })
    })
  }
  return calls
}

/** Listens to the calls of a page from now on; what it answers waits until the screen is as it stays. */
export async function watchScreen(page: Page): Promise<() => Promise<void>> {
  const calls = await decideCalls(page, {})
  return () => settle(page, calls)
}

async function change(route: Route, toChanged: (answer: unknown) => object): Promise<void> {
  const response = await route.fetch()
  await route.fulfill({ response, json: toChanged(await response.json()) })
}

/** Waits until nothing is on its way any more, pictures that load late included. */
async function settle(page: Page, { open, delayed, isDelaying }: Calls): Promise<void> {
  const isQuiet = () => [...open].every((request) => delayed.has(request))
  do await page.waitForTimeout(quietMs)
  while (!isQuiet())
  // A screen that came by itself may only now ask for what it shows.
  if (!isDelaying) await expectNone(page.locator('.mantine-Skeleton-root, .coming'))
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
    await document.fonts.ready
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

const expectNone = (found: Locator) => found.first().waitFor({ state: 'hidden' })

/** Lets text be so many times as large as it is, as a reader sets it in the browser. */
export const enlargeText = (page: Page, times: number): Promise<void> =>
  page.evaluate(
    async (size) => {
      document.documentElement.style.fontSize = size
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    },
    `${times * 100}%`,
  )

/** Lays down what sticks to the edge of the screen: it would stand in the middle of a picture of the whole page. */
export const layDownBar = (page: Page): Promise<void> =>
  page.evaluate(() => {
    window.scrollTo(0, 0)
    for (const bar of document.querySelectorAll<HTMLElement>('[data-thumb-bar]')) bar.style.position = 'static'
  })

/** How high what is shown is: the page, or what lies over it, which lies over what one sees of the page. */
const readHeight = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const covers = [...document.querySelectorAll('dialog[open], [role=dialog]')]
    if (covers.length === 0) return document.documentElement.scrollHeight
    return Math.max(window.innerHeight, ...covers.map((cover) => cover.scrollHeight))
  })

/**
 * Makes the window as high as what it shows, at most so high, while something is done. Chromium's own pictures of a whole
 * page are drawn as for a mouse, with lower buttons than a finger has.
 */
export async function inWholePage<Result>(page: Page, mostPx: number, act: () => Promise<Result>): Promise<Result> {
  const usual = page.viewportSize()
  if (!usual) throw new Error('the page has no size of its own')
  const height = Math.min(await readHeight(page), mostPx)
  await page.setViewportSize({ ...usual, height })
  try {
    return await act()
  } finally {
    await page.setViewportSize(usual)
  }
}

/** Closes a page. What it still waits for goes with it: left alone, the browser would send the delayed calls after all. */
export async function leave(page: Page): Promise<void> {
  await page.goto('/robots.txt')
  await page.close()
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Screen } from './list.ts'
import type { Session, World } from './world.ts'

/** How a picture is taken: of which width, in which language and theme. */
export interface View {
  name: string
  width: number
  language: 'ru' | 'en' | 'uz'
  theme: 'dark' | 'light'
}

interface Place {
  url: string
  world: World
  folder: string
}

const phoneWidth = 600
const patienceMs = 15_000
const quality = 72

/** Takes the pictures of one view into the folder, as `screen-view.jpg`. Answers what looks wrong. */
export async function takePictures(
  browser: Browser,
  at: Place,
  view: View,
  screens: readonly Screen[],
): Promise<string[]> {
  await mkdir(at.folder, { recursive: true })
  const complaints: string[] = []
  for (const as of ['visitor', 'customer', 'newcomer', 'admin'] as const) {
    const theirs = screens.filter((screen) => (screen.as ?? 'visitor') === as && isSeen(screen, view))
    if (theirs.length === 0) continue
    const context = await contextFor(browser, at.url, view, as === 'visitor' ? undefined : at.world[as])
    for (const screen of theirs) {
      const page = await context.newPage()
      const complain = (what: string) => complaints.push(`${screen.name} ${view.name}: ${what}`)
      page.on('pageerror', (error) => complain(error.message))
      await takePicture(page, screen, at, view).then(
        (isTooWide) => isTooWide && complain('wider than the screen'),
        (error: Error) => complain(error.message),
      )
      await page.close()
    }
    await context.close()
  }
  return complaints
}

async function takePicture(
  page: Page,
  { name, path, prepare }: Screen,
  { world, folder }: Place,
  view: View,
): Promise<boolean> {
  await show(page, typeof path === 'string' ? path : path(world))
  await prepare?.(page)
  await settle(page)
  await page.evaluate(layDownBar)
  await page.screenshot({ path: join(folder, `${name}-${view.name}.jpg`), type: 'jpeg', quality, fullPage: true })
  return isTooWide(page)
}

/** What sticks to the edge of the screen would stand in the middle of a picture of the whole page. */
function layDownBar(): void {
  for (const bar of document.querySelectorAll<HTMLElement>('[data-thumb-bar]')) bar.style.position = 'static'
}

const isSeen = (screen: Screen, view: View) => !screen.isPhoneOnly || view.width < phoneWidth

async function contextFor(
  browser: Browser,
  url: string,
  { width, language, theme }: View,
  session: Session | undefined,
): Promise<BrowserContext> {
  const isPhone = width < phoneWidth
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: isPhone ? 740 : 900 },
    deviceScaleFactor: isPhone ? 2 : 1,
    isMobile: isPhone,
    hasTouch: isPhone,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(patienceMs)
  const choices = { language, theme }
  await context.addCookies(Object.entries(choices).map(([name, value]) => ({ name, value, url })))
  const kept = { language, 'mantine-color-scheme-value': theme, ...session }
  await context.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, String(value))
  }, kept)
  return context
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('html[data-alive]').waitFor({ state: 'attached' })
  await settle(page)
}

/** Nothing is on its way any more, pictures that load late included. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})))
    await document.fonts.ready
  })
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

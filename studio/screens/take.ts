import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BrowserContext } from 'playwright'
import { isTooWide, watchConsole } from '../../proof/e2e/complaints.ts'
import type { Screen, View } from '../../proof/e2e/screens/screen.ts'
import { leave, type Place, showScreen } from '../../proof/e2e/screens/show.ts'

export interface Picture {
  /** `view/screen`, which is the place of its file, too. */
  id: string
  path: string
  screen: Screen
  view: View
}

const quality = 60
/** The height of a picture at most: the beginning of a long list says enough. */
const tallest = 2800

/** Takes one picture. Answers what looks wrong. */
export async function takePicture(context: BrowserContext, at: Place, picture: Picture): Promise<string[]> {
  const { screen, view, path } = picture
  const page = await context.newPage()
  const complaints = watchConsole(page)
  try {
    await showScreen(page, at, screen, view)
    await mkdir(dirname(path), { recursive: true })
    await page.evaluate(layDownBar)
    // What lies over the page lies over what one sees of it.
    const isCovered = (await page.locator('dialog[open], [role=dialog]').count()) > 0
    const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), tallest)
    const clip = { x: 0, y: 0, width: view.width, height }
    await page.screenshot({ path, type: 'jpeg', quality, ...(!isCovered && { fullPage: true, clip }) })
    if (await isTooWide(page)) complaints.push('wider than the screen')
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  await leave(page)
  return complaints
}

/** What sticks to the edge of the screen would stand in the middle of a picture of the whole page. */
function layDownBar(): void {
  window.scrollTo(0, 0)
  for (const bar of document.querySelectorAll<HTMLElement>('[data-thumb-bar]')) bar.style.position = 'static'
}

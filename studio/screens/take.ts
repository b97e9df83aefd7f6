import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { isTooWide, paint, watchConsole } from '../../proof/e2e/complaints.ts'
import type { Screen, View } from '../../proof/e2e/screens/screen.ts'
import { enlargeText, inWholePage, layDownBar, leave, type Place, showScreen } from '../../proof/e2e/screens/show.ts'

/** A look at a screen that is not the usual one. */
export type Variant = 'usual' | 'long-names' | 'large-text'

export interface Picture {
  /** `view/screen`, which is the place of its file, too. */
  id: string
  path: string
  screen: Screen
  view: View
  variant: Variant
}

const quality = 60
/** The height of a picture at most: the beginning of a long list says enough. */
const tallest = 2800
const largeText = 2

/**
 * Takes the pictures of one screen that differ in theme and size of text alone, all of one page. Answers what looks wrong,
 * by the picture's id.
 */
export async function takePictures(context: BrowserContext, at: Place, pictures: Picture[]) {
  const complaints = new Map<string, string[]>(pictures.map(({ id }) => [id, []]))
  const [first] = pictures
  if (!first) return complaints
  const page = await context.newPage()
  const said = watchConsole(page)
  try {
    await showScreen(page, at, first.screen, first.view)
    await layDownBar(page)
    for (const picture of pictures) {
      await paint(page, picture.view.theme)
      await enlargeText(page, picture.variant === 'large-text' ? largeText : 1)
      complaints.set(picture.id, await take(page, picture))
    }
  } catch (error) {
    said.push(error instanceof Error ? error.message : String(error))
  }
  await leave(page)
  complaints.get(first.id)?.push(...said)
  return complaints
}

async function take(page: Page, { path }: Picture): Promise<string[]> {
  await mkdir(dirname(path), { recursive: true })
  await inWholePage(page, tallest, () => page.screenshot({ path, type: 'jpeg', quality }))
  return (await isTooWide(page)) ? ['wider than the screen'] : []
}

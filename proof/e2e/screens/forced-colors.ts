import type { Page } from 'playwright'
import { prepareControls, readControls } from './controls.ts'
import { readPng } from './pixels.ts'
import { inWholePage, layDownBar } from './show.ts'

/** What the parts of a control, and what tells it from its ground, have to differ by at least. */
const least = 3
/** What is farther down is not looked at. */
const tallestPx = 6000

/** Complains of controls of which nothing is to be seen: those that are drawn by colours that a reader has taken away. */
export async function unseenControls(page: Page): Promise<string[]> {
  await prepareControls(page)
  await layDownBar(page)
  const isCovered = (await page.locator('dialog[open], [role=dialog]').count()) > 0
  const look = async () => ({ controls: await readControls(page), png: await page.screenshot({ scale: 'css' }) })
  const { controls, png } = isCovered ? await look() : await inWholePage(page, tallestPx, look)
  const pixels = readPng(png)
  return controls.flatMap(({ label, box, isDisabled }) => {
    const [left, top] = [Math.max(0, Math.floor(box.x)), Math.max(0, Math.floor(box.y))]
    const [right, bottom] = [
      Math.min(pixels.width, Math.ceil(box.x + box.width)),
      Math.min(pixels.height, Math.ceil(box.y + box.height)),
    ]
    // What is below the picture, or beside it in a row that scrolls, was not drawn.
    if (isDisabled || right - left < 4 || bottom - top < 4) return []
    let [darkest, lightest] = [1, 0]
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const luminance = pixels.luminanceAt(x, y)
        darkest = Math.min(darkest, luminance)
        lightest = Math.max(lightest, luminance)
      }
    }
    const contrast = (lightest + 0.05) / (darkest + 0.05)
    return contrast < least ? [`nothing to be seen of ${label}: ${contrast.toFixed(1)}:1`] : []
  })
}

/** How many choices of a page are tried, each of a group of its own. */
const mostChoices = 5

/** Complains of choices that look the same before and after they were chosen. */
export async function unseenChoices(page: Page): Promise<string[]> {
  await prepareControls(page)
  await layDownBar(page)
  const count = await page.evaluate(markChoices, mostChoices)
  const complaints: string[] = []
  for (let at = 0; at < count; at++) {
    const before = await takePicture(page, at)
    if (!before) continue
    await choose(page, before.clip)
    const after = await takePicture(page, at)
    if (after?.picture.equals(before.picture)) complaints.push(`chosen, it looks as before: ${before.label}`)
  }
  return complaints
}

async function takePicture(page: Page, at: number) {
  const seen = await page.evaluate(locate, at)
  return seen && { ...seen, picture: await page.screenshot({ clip: seen.around, scale: 'css' }) }
}

/** Marks one choice of each group that is not made yet; answers how many. */
function markChoices(most: number): number {
  const { controls } = window.olmosControls
  const chosen = ':checked, [aria-checked=true], [aria-pressed=true], [aria-selected=true]'
  const kinds = 'input[type=radio], input[type=checkbox], [role=radio], [role=checkbox], [role=tab], [aria-pressed]'
  const groups = new Set<Element | null>()
  let count = 0
  for (const control of controls()) {
    if (count === most) break
    if (!control.matches(kinds) || control.matches(`:disabled, [aria-disabled=true], ${chosen}`)) continue
    const group = control.closest('[role=radiogroup], [role=group], [role=tablist], fieldset') ?? control
    if (groups.has(group)) continue
    groups.add(group)
    control.dataset.choice = String(count++)
  }
  return count
}

type Clip = NonNullable<ReturnType<typeof locate>>['clip']

/** Presses in the middle, as a hand does, and takes the hand away. */
async function choose(page: Page, { x, y, width, height }: Clip): Promise<void> {
  await page.mouse.click(x + width / 2, y + height / 2)
  await page.mouse.move(0, 0)
  await page.waitForTimeout(150)
}

function locate(at: number) {
  const control = document.querySelector<HTMLElement>(`[data-choice="${at}"]`)
  if (!control?.checkVisibility()) return undefined
  const face = window.olmosControls.readFace(control)
  face.scrollIntoView({ block: 'center', inline: 'center' })
  const readClip = (element: Element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const [left, top] = [Math.max(0, x - 4), Math.max(0, y - 4)]
    return {
      x: left,
      y: top,
      width: Math.min(innerWidth - left, width + 8),
      height: Math.min(innerHeight - top, height + 8),
    }
  }
  const clip = readClip(face)
  if (clip.width <= 0 || clip.height <= 0) return undefined
  // Which of five stars was chosen is told by those beside it.
  const around = readClip(control.closest('fieldset') ?? face)
  return { label: window.olmosControls.readLabel(control), clip, around }
}

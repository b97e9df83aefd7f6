import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright'
import sharp from 'sharp'
import type { View } from '../../proof/e2e/screens/screen.ts'
import { openBrowser, type Place, textIn, watchScreen } from '../../proof/e2e/screens/show.ts'
import { keepFresh } from '../../proof/e2e/screens/world.ts'
import { startStore } from '../../proof/e2e/start-store.ts'
import { buildWeb } from '../../scripts/build.mjs'
import { findChromium } from '../../scripts/chromium.mjs'
import { program, root } from '../../scripts/run.mjs'

/** Takes the moving picture of the README: a purchase from the home page to the copied code, a frame for each press. */
const path = join(root, 'docs/screens/purchase.webp')

const view: View = { name: 'moving', width: 1120, language: 'en', theme: 'dark' }
const height = 700
const shownWidth = 800
const quality = 72
/** How long one looks at a page before it is pressed, at the press, and at the end. */
const [lookMs, pressMs, endMs] = [1_200, 800, 4_000]

interface Frame {
  picture: Buffer
  ms: number
}

/** A purchase that is watched: `press` keeps what one sees before it and while it is pressed. */
class Watched {
  readonly frames: Frame[] = []
  readonly #page: Page
  readonly #settle: () => Promise<void>

  constructor(page: Page, settle: () => Promise<void>) {
    this.#page = page
    this.#settle = settle
  }

  async look(ms: number): Promise<void> {
    await this.#settle()
    this.frames.push({ picture: await this.#page.screenshot({ type: 'png' }), ms })
  }

  async press(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded()
    await this.look(lookMs)
    const box = await target.boundingBox()
    if (!box) throw new Error('what is to be pressed is not there')
    await this.#page.evaluate(drawPress, { x: box.x + box.width / 2, y: box.y + box.height / 2 })
    this.frames.push({ picture: await this.#page.screenshot({ type: 'png' }), ms: pressMs })
    await this.#page.evaluate(() => document.querySelector('#press')?.remove())
    await target.click()
  }
}

/** Runs in the page: a ring where the finger is. It lies over a dialog too, which is why it is shown as a popover. */
function drawPress({ x, y }: { x: number; y: number }): void {
  const ring = document.createElement('div')
  ring.id = 'press'
  ring.popover = 'manual'
  const size = 44
  Object.assign(ring.style, {
    position: 'fixed',
    inset: 'auto',
    left: `${x - size / 2}px`,
    top: `${y - size / 2}px`,
    width: `${size}px`,
    height: `${size}px`,
    margin: '0',
    padding: '0',
    border: '3px solid #fff',
    borderRadius: '50%',
    background: 'rgb(255 255 255 / 35%)',
    boxShadow: '0 0 0 2px rgb(0 0 0 / 60%)',
    pointerEvents: 'none',
  })
  document.body.append(ring)
  ring.showPopover()
}

async function watchPurchase(browser: Browser, at: Place): Promise<Frame[]> {
  const context = await openBrowser(browser, at, view, 'customer', { permissions: ['clipboard-write'] })
  const page = await context.newPage()
  await page.setViewportSize({ width: view.width, height })
  const purchase = new Watched(page, await watchScreen(page))
  await page.goto('/')
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  const main = page.getByRole('main')
  const button = (key: Parameters<typeof textIn>[1]) => page.getByRole('button', { name: textIn(view.language, key) })
  await purchase.look(lookMs)
  await purchase.press(main.locator('a[href="/products/mobile-legends"]').last())
  await purchase.press(main.getByRole('radio').nth(1).locator('xpath=ancestor::label'))
  await purchase.press(button('product.buyNow').last())
  await purchase.press(button('checkout.payFromBalance').last())
  await purchase.press(button('receipt.revealCode').first())
  await purchase.look(endMs)
  await context.close()
  return purchase.frames
}

async function writeMoving(frames: readonly Frame[]): Promise<void> {
  const pictures = await Promise.all(
    frames.map(({ picture }) => sharp(picture).resize({ width: shownWidth }).png().toBuffer()),
  )
  await mkdir(dirname(path), { recursive: true })
  const delay = frames.map(({ ms }) => ms)
  const { size } = await sharp(pictures, { join: { animated: true } })
    .webp({ quality, delay, loop: 0, effort: 6, mixed: true })
    .toFile(path)
  console.log(`${frames.length} frames, ${Math.round(size / 1024)} kB: ${path}`)
}

await program(async () => {
  await buildWeb()
  const executablePath = await findChromium()
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ args, ...(executablePath && { executablePath }) })
  const store = await startStore()
  try {
    const freshPlace = keepFresh(store.url, () => ({ customer: 'Kamila_2007', newcomer: 'newcomer' }))
    await writeMoving(await watchPurchase(browser, await freshPlace()))
  } finally {
    await browser.close()
    await store.stop()
  }
  return 0
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { findChromium } from '../../scripts/chromium.mjs'
import { drawOg } from './banner.ts'
import { drawCard } from './card.ts'
import { cards } from './cards.ts'
import { drawIcon } from './icon.ts'
import { drawFavicon } from './mark.ts'

const publicFolder = new URL('../../web/public/', import.meta.url)

/** Every drawing of the shop by its place under web/public. */
export function drawAll(): Record<string, string> {
  return {
    'favicon.svg': drawFavicon(),
    'art/og.svg': drawOg(),
    ...Object.fromEntries(cards.map((card) => [`art/${card.slug}.svg`, drawCard(card)])),
  }
}

if (import.meta.main) {
  mkdirSync(new URL('art/', publicFolder), { recursive: true })
  for (const [name, svg] of Object.entries(drawAll())) writeFileSync(new URL(name, publicFolder), svg)
  for (const size of [192, 512]) writeFileSync(new URL(`icon-${size}.png`, publicFolder), drawIcon(size))
  for (const size of [180, 512]) writeFileSync(new URL(`icon-whole-${size}.png`, publicFolder), drawIcon(size, 'whole'))
  await photographLinkPicture()
}

/** Where links are shared nobody shows an SVG. As a PNG it would weigh ten times as much. */
async function photographLinkPicture(): Promise<void> {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
  await page.goto(new URL('art/og.svg', publicFolder).href)
  await page.screenshot({ path: new URL('art/og.jpg', publicFolder).pathname, type: 'jpeg', quality: 84 })
  await browser.close()
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chromium } from 'playwright'
import { findChromium } from '../../scripts/chromium.mjs'
import { drawOg } from './banner.ts'
import { drawCard } from './card.ts'
import { cards } from './cards.ts'
import { drawIcon } from './icon.ts'
import { drawFavicon } from './mark.ts'

const publicFolder = new URL('../../web/public/', import.meta.url)
/** What services that show links take as a large picture. */
export const sharedSize = { width: 1200, height: 630 }

/** Every drawing of the shop by its place under web/public. */
export function drawAll(): Record<string, string> {
  return {
    'favicon.svg': drawFavicon(),
    'art/og.svg': drawOg(),
    ...Object.fromEntries(cards.map((card) => [`art/${card.slug}.svg`, drawCard(card)])),
  }
}

/** Photographs to share links by, of the shop and of each card. As PNG they would weigh ten times as much. */
export const photographs: Record<string, string> = {
  'art/og.jpg': 'art/og.svg',
  ...Object.fromEntries(cards.map(({ slug }) => [`art/link-pictures/${slug}.jpg`, `art/${slug}.svg`])),
}

/** Where links are shared nobody shows an SVG. A card fills the picture, which is wider. */
async function photographDrawings(): Promise<void> {
  const executablePath = await findChromium()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: sharedSize })
  for (const [name, drawing] of Object.entries(photographs)) {
    const svg = readFileSync(new URL(drawing, publicFolder), 'base64')
    await page.setContent(
      `<img src="data:image/svg+xml;base64,${svg}" style="position: fixed; inset: 0; width: 100%; height: 100%; object-fit: cover">`,
    )
    await page.screenshot({ path: new URL(name, publicFolder).pathname, type: 'jpeg', quality: 84 })
  }
  await browser.close()
}

if (import.meta.main) {
  mkdirSync(new URL('art/link-pictures/', publicFolder), { recursive: true })
  for (const [name, svg] of Object.entries(drawAll())) writeFileSync(new URL(name, publicFolder), svg)
  for (const size of [192, 512]) writeFileSync(new URL(`icon-${size}.png`, publicFolder), drawIcon(size))
  for (const size of [180, 512]) writeFileSync(new URL(`icon-whole-${size}.png`, publicFolder), drawIcon(size, 'whole'))
  await photographDrawings()
}

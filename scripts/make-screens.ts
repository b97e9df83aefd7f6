import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { startStore } from '../e2e/start-store.ts'
import { buildWeb } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './run.mjs'
import { screens } from './screens/list.ts'
import { takePictures, type View } from './screens/take.ts'
import { makeWorld } from './screens/world.ts'

/**
 * Takes the pictures of docs/screens again: every screen on a phone and a desktop, some in the other languages and in
 * the light theme. To look at all of it: npm run screens -- --all --out /tmp/screens; `--only home,cart` and
 * `--views phone,desktop` take some.
 */
const { values } = parseArgs({
  options: { all: { type: 'boolean' }, out: { type: 'string' }, only: { type: 'string' }, views: { type: 'string' } },
})

const phone: View = { name: 'phone', width: 360, language: 'ru', theme: 'dark' }
const desktop: View = { name: 'desktop', width: 1440, language: 'ru', theme: 'dark' }
const others: View[] = [
  { ...phone, name: 'phone-uz', language: 'uz' },
  { ...phone, name: 'phone-en-light', language: 'en', theme: 'light' },
  { ...desktop, name: 'desktop-en-light', language: 'en', theme: 'light' },
]
const shownInOthers = new Set(['home', 'product', 'cart', 'receipt'])

const everyView = [360, 768, 1440].flatMap((width) =>
  (['ru', 'en', 'uz'] as const).flatMap((language) =>
    (['dark', 'light'] as const).map((theme) => ({ name: `${width}-${language}-${theme}`, width, language, theme })),
  ),
)

const wanted = values.only?.split(',')
const chosen = screens.filter(({ name }) => !wanted || wanted.includes(name))
const some = chosen.filter(({ name }) => shownInOthers.has(name))
const everyJob = values.all
  ? everyView.map((view) => ({ view, screens: chosen }))
  : [
      { view: phone, screens: chosen },
      { view: desktop, screens: chosen },
      ...others.map((view) => ({ view, screens: some })),
    ]
const views = values.views?.split(',')
const jobs = everyJob.filter(({ view }) => !views || views.includes(view.name))

await buildWeb()
const store = await startStore()
const executablePath = await findChromium()
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const world = await makeWorld(store.url)
  const at = { url: store.url, world, folder: values.out ?? join(root, 'docs/screens') }
  const complaints: string[] = []
  for (const job of jobs) complaints.push(...(await takePictures(browser, at, job.view, job.screens)))
  for (const complaint of complaints) console.error(complaint)
  if (complaints.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await store.stop()
}

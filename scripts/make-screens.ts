import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { startStore } from '../e2e/start-store.ts'
import { buildWeb } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { program, Refusal, root } from './run.mjs'
import { screens } from './screens/list.ts'
import { isSeen, type View } from './screens/screen.ts'
import { openBrowser, type Place } from './screens/show.ts'
import { states } from './screens/states.ts'
import { type Picture, takePicture } from './screens/take.ts'
import { makeWorld } from './screens/world.ts'

/**
 * Takes the pictures of docs/screens again: every screen on a phone and a desktop, the main ones on a tablet, some in
 * the other languages and in the light theme.
 *
 * Some of them: npm run screens -- phone/home receipt desktop. What is not there yet: `--missing`. Every width, language
 * and theme, states of waiting and failing too, to look at: `--all --out /tmp/screens`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, missing: { type: 'boolean' }, out: { type: 'string' } },
})
const atOnce = 2

const phone: View = { name: 'phone', width: 360, language: 'ru', theme: 'dark' }
const desktop: View = { name: 'desktop', width: 1440, language: 'ru', theme: 'dark' }
const few = new Set(['home', 'freefire', 'cart', 'receipt-codes'])
const principal = new Set([...few, 'products', 'product', 'pubg', 'steam', 'checkout', 'orders', 'profile', 'support'])
const kept: { view: View; names?: Set<string> }[] = [
  { view: phone },
  { view: desktop },
  { view: { ...desktop, name: 'tablet', width: 768 }, names: principal },
  { view: { ...phone, name: 'phone-en', language: 'en' }, names: few },
  { view: { ...phone, name: 'phone-uz', language: 'uz' }, names: few },
  { view: { ...phone, name: 'phone-light', theme: 'light' }, names: few },
  { view: { ...desktop, name: 'desktop-en-light', language: 'en', theme: 'light' }, names: few },
]
const everyView = [360, 768, 1440].flatMap((width) =>
  (['ru', 'en', 'uz'] as const).flatMap((language) =>
    (['dark', 'light'] as const).map((theme) => ({ name: `${width}-${language}-${theme}`, width, language, theme })),
  ),
)

await program(async () => {
  const pictures = chosenPictures()
  await buildWeb()
  const store = await startStore()
  const executablePath = await findChromium()
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ args, ...(executablePath && { executablePath }) })
  try {
    const at = { url: store.url, world: await makeWorld(store.url) }
    return await takeAll(browser, at, pictures)
  } finally {
    await browser.close()
    await store.stop()
  }
})

/** Takes the pictures, some at once, and says how each went. Answers the exit code. */
async function takeAll(browser: Browser, at: Place, pictures: Picture[]): Promise<number> {
  const queue = toGroups(pictures)
  let [done, failed] = [0, 0]
  const takeGroups = async () => {
    for (let group = queue.shift(); group; group = queue.shift()) {
      const [first] = group
      if (!first) continue
      const context = await openBrowser(browser, at, first.view, first.screen.as)
      for (const picture of group) {
        const complaints = await takePicture(context, at, picture)
        console.log([`${++done}/${pictures.length} ${picture.id}`, ...complaints].join('\n   '))
        if (complaints.length > 0) failed++
      }
      await context.close()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeGroups))
  return failed === 0 ? 0 : 1
}

function chosenPictures(): Picture[] {
  const folder = values.out ?? join(root, 'docs/screens')
  const views = values.all ? everyView.map((view) => ({ view, names: undefined })) : kept
  const all = views.flatMap(({ view, names }) =>
    [...screens, ...(values.all ? states : [])]
      .filter((screen) => isSeen(screen, view) && (!names || names.has(screen.name)))
      .map((screen) => ({ id: `${view.name}/${screen.name}`, screen, view })),
  )
  const isWanted = ({ id, screen, view }: (typeof all)[number], wanted: string) =>
    [id, screen.name, view.name].includes(wanted)
  for (const wanted of positionals) {
    if (!all.some((picture) => isWanted(picture, wanted))) throw new Refusal(`There is no picture ${wanted}.`)
  }
  const chosen = all
    .filter((picture) => positionals.length === 0 || positionals.some((wanted) => isWanted(picture, wanted)))
    .map((picture) => ({ ...picture, path: join(folder, `${picture.id}.jpg`) }))
    .filter(({ path }) => !values.missing || !existsSync(path))
  console.log(`${chosen.length} pictures into ${relative(process.cwd(), folder) || '.'}`)
  return chosen
}

/** Pictures of one view, seen by one onlooker. */
function toGroups(all: Picture[]): Picture[][] {
  return Object.values(Object.groupBy(all, ({ view, screen }) => `${view.name} ${screen.as}`)).filter(
    (group) => group !== undefined,
  )
}

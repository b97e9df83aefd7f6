import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { customerScreens } from '../../proof/e2e/screens/customer.ts'
import { isSeen, type View } from '../../proof/e2e/screens/screen.ts'
import { openBrowser, type Place } from '../../proof/e2e/screens/show.ts'
import { states } from '../../proof/e2e/screens/states.ts'
import { makeWorld } from '../../proof/e2e/screens/world.ts'
import { startStore } from '../../proof/e2e/start-store.ts'
import { buildWeb } from '../../scripts/build.mjs'
import { findChromium } from '../../scripts/chromium.mjs'
import { program, Refusal, root } from '../../scripts/run.mjs'
import { operatorScreens } from './operator.ts'
import { type Picture, takePicture } from './take.ts'

/**
 * Takes pictures of every screen on a phone and a desktop, the main ones on a tablet, some in the other languages and in
 * the light theme. Those that docs/screens has are taken there again, the others lie in studio/pictures.
 *
 * Some of them: npm --prefix studio run screens -- phone/home receipt desktop. What is not there yet: `--missing`. Every
 * width, language and theme, states of waiting and failing too, to look at: `--all`. All in another folder: `--out`.
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
  const from = process.env.INIT_CWD ?? process.cwd()
  const views = values.all ? everyView.map((view) => ({ view, names: undefined })) : kept
  const all = views.flatMap(({ view, names }) =>
    [...customerScreens, ...operatorScreens, ...(values.all ? states : [])]
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
    .map((picture) => ({ ...picture, path: toPath(`${picture.id}.jpg`, values.out && resolve(from, values.out)) }))
    .filter(({ path }) => !values.missing || !existsSync(path))
  console.log(`${chosen.length} pictures`)
  return chosen
}

/** The documentation keeps its own pictures up to date; git ignores the rest. */
function toPath(file: string, out: string | undefined): string {
  if (out !== undefined) return join(out, file)
  const shown = join(root, 'docs/screens', file)
  return existsSync(shown) ? shown : join(root, 'studio/pictures', file)
}

/** Pictures of one view, seen by one onlooker. */
function toGroups(all: Picture[]): Picture[][] {
  return Object.values(Object.groupBy(all, ({ view, screen }) => `${view.name} ${screen.as}`)).filter(
    (group) => group !== undefined,
  )
}

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { customerScreens } from '../../proof/e2e/screens/customer.ts'
import { isSeen, type View } from '../../proof/e2e/screens/screen.ts'
import { openBrowser, type Place } from '../../proof/e2e/screens/show.ts'
import { states } from '../../proof/e2e/screens/states.ts'
import { keepFresh, lengthenNames, longNicknames } from '../../proof/e2e/screens/world.ts'
import { startStore } from '../../proof/e2e/start-store.ts'
import { buildWeb } from '../../scripts/build.mjs'
import { findChromium } from '../../scripts/chromium.mjs'
import { program, root } from '../../scripts/run.mjs'
import { dressedScreens, dressStore } from './dressed.ts'
import { operatorScreens } from './operator.ts'
import { folder, isEverything, isForMissing, narrow, readLooks } from './options.ts'
import { writeSheet } from './sheet.ts'
import { type Picture, takePictures, type Variant } from './take.ts'

/**
 * Takes pictures of every screen on a phone and a desktop, the main ones on a tablet, some in the other languages and in
 * the light theme. Those that docs/screens has are taken there again, the others lie in studio/pictures.
 *
 * Some of them: npm --prefix studio run screens -- phone/home receipt desktop. What is not there yet: `--missing`. In another
 * folder: `--out`.
 *
 * Every screen and state in every width, language and theme, with long names and with text of 200 %, and a page to look
 * through them: `--all`; of it `--only home,cart-empty`, `--widths 360,768`, `--languages ru`, `--themes dark`,
 * `--variants long-names,large-text`.
 */
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

/** A store that pictures are taken in: what is done to that of the demonstration first, and who is in it. */
interface Stage {
  prepare?(url: string): Promise<void>
  toNames(count: number): { customer: string; newcomer: string }
}

const usualNames = (count: number) => ({ customer: `Kamila_${2007 + count}`, newcomer: `newcomer${count || ''}` })

const stages = {
  usual: { toNames: usualNames },
  dressed: { prepare: dressStore, toNames: usualNames },
  named: { prepare: lengthenNames, toNames: longNicknames },
} satisfies Record<string, Stage>

const toStage = ({ screen, variant }: Picture): keyof typeof stages => {
  if (variant === 'long-names') return 'named'
  return dressedScreens.includes(screen) ? 'dressed' : 'usual'
}

/** Takes pictures in a store of their own. */
async function takeIn(browser: Browser, pictures: Picture[], progress: Progress, { prepare, toNames }: Stage) {
  if (pictures.length === 0) return
  const store = await startStore()
  try {
    await prepare?.(store.url)
    await takeAll(browser, keepFresh(store.url, toNames), pictures, progress)
  } finally {
    await store.stop()
  }
}

/** Takes the pictures, some at once, and says how each went. */
async function takeAll(browser: Browser, freshPlace: () => Promise<Place>, pictures: Picture[], progress: Progress) {
  const queue = toVisits(pictures)
  const takeVisits = async () => {
    for (let visit = queue.shift(); visit; visit = queue.shift()) {
      const [first] = visit[0] ?? []
      if (!first) continue
      const at = await freshPlace()
      const context = await openBrowser(browser, at, first.view, first.screen.as)
      for (const ofOnePage of visit) progress.tell(await takePictures(context, at, ofOnePage))
      await context.close()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, takeVisits))
}

/** Says what was taken, what looks wrong, and how long it takes. */
class Progress {
  readonly #began = Date.now()
  readonly #total: number
  #done = 0
  #failed = 0

  constructor(total: number) {
    this.#total = total
  }

  tell(complaints: Map<string, string[]>): void {
    for (const [id, said] of complaints) {
      this.#done++
      if (said.length > 0) this.#failed++
      console.log([`${this.#done}/${this.#total} ${id}${this.#left()}`, ...said].join('\n   '))
    }
  }

  /** Answers the exit code. */
  end(): number {
    const minutes = ((Date.now() - this.#began) / 60_000).toFixed(1)
    console.log(`${this.#done} pictures in ${minutes} minutes, something looks wrong in ${this.#failed}`)
    return this.#failed === 0 && this.#done === this.#total ? 0 : 1
  }

  #left(): string {
    if (this.#done % 20 !== 0) return ''
    const leftMs = ((Date.now() - this.#began) / this.#done) * (this.#total - this.#done)
    return `, about ${Math.ceil(leftMs / 60_000)} minutes left`
  }
}

function keptPictures(): Picture[] {
  return kept.flatMap(({ view, names }) =>
    [...customerScreens, ...operatorScreens, ...dressedScreens]
      .filter((screen) => isSeen(screen, view) && (!names || names.has(screen.name)))
      .map((screen) => {
        const id = `${view.name}/${screen.name}`
        return { id, screen, view, variant: 'usual' as const, path: toPath(`${id}.jpg`) }
      }),
  )
}

const shownAs: Record<Variant, typeof customerScreens> = {
  usual: [...customerScreens, ...states, ...operatorScreens, ...dressedScreens],
  // A store of long names is not dressed besides.
  'long-names': [...customerScreens, ...operatorScreens],
  'large-text': [...customerScreens, ...states, ...operatorScreens, ...dressedScreens],
}

function everyPicture(): Picture[] {
  return readLooks().flatMap(({ view, variant }) =>
    shownAs[variant]
      .filter((screen) => isSeen(screen, view))
      .map((screen) => {
        const id = `${view.name}/${screen.name}`
        return { id, screen, view, variant, path: toPath(`${id}.jpg`) }
      }),
  )
}

/** The documentation keeps its own pictures up to date; git ignores the rest. */
function toPath(file: string): string {
  if (folder !== undefined) return join(folder, file)
  const shown = join(root, 'docs/screens', file)
  return existsSync(shown) ? shown : join(root, 'studio/pictures', file)
}

/** As many pages as one browser shows before the world in it may have to be made again. */
const pagesOfVisit = 12

/** Visits of one onlooker in one width and language: of each page the pictures that it is good for. */
function toVisits(all: Picture[]): Picture[][][] {
  const browsers = Map.groupBy(all, ({ view, screen }) =>
    [view.width, view.language, view.name.split('-')[0], screen.as].join(),
  )
  return [...browsers.values()].flatMap((ofBrowser) => {
    const pages = [...Map.groupBy(ofBrowser, ({ screen }) => screen.name).values()]
    return Array.from({ length: Math.ceil(pages.length / pagesOfVisit) }, (_, at) =>
      pages.slice(at * pagesOfVisit, (at + 1) * pagesOfVisit),
    )
  })
}

await program(async () => {
  const every = isEverything ? everyPicture() : keptPictures()
  const pictures = narrow(every).filter(({ path }) => !isForMissing || !existsSync(path))
  console.log(`${pictures.length} pictures`)
  await buildWeb()
  const executablePath = await findChromium()
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ args, ...(executablePath && { executablePath }) })
  const progress = new Progress(pictures.length)
  try {
    for (const [name, stage] of Object.entries(stages)) {
      const ofStage = pictures.filter((picture) => toStage(picture) === name)
      await takeIn(browser, ofStage, progress, stage)
    }
  } finally {
    await browser.close()
    if (folder !== undefined) {
      await mkdir(folder, { recursive: true })
      console.log(`To look through them: ${await writeSheet(folder, every)}`)
    }
  }
  return progress.end()
})

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, type Page, type Response } from '@playwright/test'
import { SERVER_BUSINESS } from '../../server/src/business.ts'
import { SERVER_LIMITS } from '../../server/src/limits.ts'
import { addToCart, open, register, test } from './customer.ts'
import { ru } from './ru.ts'

/** Each is a round trip on one of six connections. */
const boundFiles = 10

/** Opens a page as a first visit does, and weighs every script it brings, in kB gzipped. */
async function weighScripts(page: Page, path: string): Promise<Map<string, number>> {
  const scripts = new Map<string, Promise<string>>()
  const note = (answer: Response) => {
    if (answer.request().resourceType() === 'script') scripts.set(new URL(answer.url()).pathname, answer.text())
  }
  page.on('response', note)
  await open(page, path)
  await page.waitForLoadState('networkidle')
  page.off('response', note)
  const bodies = await Promise.all(scripts.values())
  expect(bodies.filter((body) => body.includes('ZodError'))).toEqual([])
  return new Map([...scripts.keys()].map((name, at) => [name, gzipSync(bodies[at] ?? '').length / 1000]))
}

function expectWithin(boundKb: number, path: string, scripts: ReadonlyMap<string, number>): void {
  const kb = [...scripts.values()].reduce((sum, weight) => sum + weight, 0)
  const heaviest = [...scripts].sort(([, one], [, other]) => other - one)
  const told = heaviest.map(([name, weight]) => `${weight.toFixed(1).padStart(7)} kB ${name}`).join('\n')
  console.log(`      ${path}: ${scripts.size} scripts, ${kb.toFixed(1)} kB gzipped`)
  expect(scripts.size).toBeGreaterThan(0)
  expect(
    kb,
    `${path} brings\n${told}\n\`npm run build -- --sourcemapClient\` says what is in each, web/chunk-groups.ts why.\n`,
  ).toBeLessThanOrEqual(boundKb)
}

for (const path of ['/', '/products', '/products/roblox']) {
  test(`${path} brings at most 150 kB of JavaScript, and nobody’s schemas`, async ({ page }) => {
    const scripts = await weighScripts(page, path)
    expectWithin(150, path, scripts)
    expect(scripts.size).toBeLessThanOrEqual(boundFiles)
  })
}

test('the checkout brings at most 200 kB of JavaScript, and nobody’s schemas', async ({ page }) => {
  await register(page)
  await addToCart(page, 1)
  const scripts = await weighScripts(page, '/checkout')
  await expect(page.getByRole('heading', { name: ru('checkout.title'), level: 1 })).toBeVisible()
  expectWithin(200, '/checkout', scripts)
})

test('a page in roubles is laid out once: no font is found with its texts', async ({ page }) => {
  await open(page, '/')
  await page.evaluate(() => document.fonts.ready)
  const fonts = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name, initiatorType }) => [name.replace(/.*\/|-[^-]*$/g, ''), initiatorType]),
  )
  expect(fonts.length).toBeGreaterThan(0)
  expect(fonts.filter(([, asker]) => asker !== 'link')).toEqual([])
})

test('the server reads what its pages are made of, and nothing of what the admin area loads late', () => {
  const [pages, admin] = ['pages', 'admin'].map((name) =>
    globSync(join(import.meta.dirname, `../../web/build/server/assets/${name}-*.js`)).map((file) =>
      readFileSync(file, 'utf8'),
    ),
  )
  expect([pages?.length, admin?.length]).toEqual([1, 1])
  const isIn = (text: string, files: string[] | undefined) => files?.some((file) => file.includes(text))
  expect([isIn('recharts', pages), isIn('recharts', admin)]).toEqual([false, true])
  expect(isIn('react-dom-server.node.development', pages)).toBe(false)
  // A letter beyond Latin-1 doubles what V8 takes for the text of its file.
  expect(pages?.[0]?.match(/[\u0100-\uffff]/)?.[0]).toBeUndefined()
})

test('a page whose texts come after everything else waits for them, and is whole', async ({ page }) => {
  await page.route('**/assets/ru-*.js', async (route) => {
    const answer = await route.fetch()
    // The texts of the first pages are there; these are the others, which the page of registration needs.
    if ((await answer.text()).includes(ru('register.passwordHint'))) {
      await page.waitForFunction(() =>
        performance.getEntriesByType('resource').some(({ name }) => /Register-/.test(name)),
      )
      // Time enough for scripts that don't wait.
      await page.evaluate(async () => {
        for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
      })
    }
    await route.fulfill({ response: answer })
  })
  await open(page, '/register')
  await expect(page.getByRole('heading', { name: ru('register.title') })).toBeVisible()
})

test('a page asks for its texts together with its scripts', async ({ page }) => {
  for (const [path, parts] of [
    ['/products', 1],
    ['/support', 2],
  ] as const) {
    const document = await (await page.request.get(path)).text()
    const files = [...document.matchAll(/<link rel="later" href="([^"]+\/ru-[^"]+)"/g)].map(([, file]) => file)
    expect(files).toHaveLength(parts)
    await open(page, path)
    const fetched = await page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
        ({ name, startTime, responseEnd }) => ({ path: new URL(name).pathname, startTime, responseEnd }),
      ),
    )
    const first = fetched.find((file) => /\/first-[^/]+\.js$/.test(file.path))
    for (const file of files) {
      const texts = fetched.filter((one) => one.path === file)
      expect(texts).toHaveLength(1)
      expect(texts[0]?.startTime).toBeLessThan(first?.responseEnd ?? 0)
    }
  }
})

test('scripts wait for what the first picture needs', async ({ page }) => {
  const document = await page.request.get('/products')
  expect(await document.text()).not.toMatch(/<script[^>]+src=|rel="modulepreload"|type="module"/)
  await open(page, '/products')
  const fetched = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd }),
    ),
  )
  const scripts = fetched.filter(({ name }) => name.endsWith('.js')).map(({ startTime }) => startTime)
  const styles = fetched.filter(({ name }) => name.includes('.css')).map(({ responseEnd }) => responseEnd)
  expect(scripts.length).toBeGreaterThan(2)
  expect(styles.length).toBeGreaterThan(0)
  expect(Math.min(...scripts)).toBeGreaterThanOrEqual(Math.max(...styles))
})

test('what only the server knows is in no file that browsers get', () => {
  const folder = join(import.meta.dirname, '../../web/build/client')
  const files = globSync('**/*.{js,html,json}', { cwd: folder })
  expect(files.length).toBeGreaterThan(20)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const names = [...Object.keys(SERVER_LIMITS), ...Object.keys(SERVER_BUSINESS)].filter((name) =>
    /[a-z][A-Z]/.test(name),
  )
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => texts.some((text) => text.includes(`${name}:`)))).toEqual([])
})

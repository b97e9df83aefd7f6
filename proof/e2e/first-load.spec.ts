import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { SERVER_BUSINESS } from '../../server/src/business.ts'
import { SERVER_LIMITS } from '../../server/src/limits.ts'
import { open, test } from './customer.ts'

const boundKb = 200
/** Each is a round trip on one of six connections. */
const boundFiles = 10

test('the home page brings at most 200 kB of JavaScript, and nobody’s schemas', async ({ page }) => {
  const scripts = new Map<string, Promise<string>>()
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') scripts.set(answer.url(), answer.text())
  })
  await open(page, '/')
  await page.waitForLoadState('networkidle')
  const bodies = await Promise.all(scripts.values())
  const kb = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000
  console.log(`      ${scripts.size} scripts, ${kb.toFixed(1)} kB gzipped`)
  expect(scripts.size).toBeGreaterThan(0)
  expect(scripts.size).toBeLessThanOrEqual(boundFiles)
  expect(kb).toBeLessThanOrEqual(boundKb)
  expect(bodies.filter((body) => body.includes('ZodError'))).toEqual([])
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

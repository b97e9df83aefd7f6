import { gzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
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

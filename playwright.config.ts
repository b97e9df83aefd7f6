import { defineConfig } from '@playwright/test'
import { knownChromium } from './scripts/chromium.mjs'

// Chromium's sandbox does not work for root; the rest keeps it from talking to anybody but the store.
const quiet = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const quieter = ['--disable-component-update', '--disable-sync']
const rootOnly = process.getuid?.() === 0 ? ['--no-sandbox'] : []

const every = process.env.JOURNEYS === 'all'
/** What `npm test` walks at each size, to be done in a few minutes; `npm run journeys` walks everything at both. */
const specs = (...names: string[]) => (every ? '**/*.spec.ts' : names.map((name) => `**/${name}.spec.ts`))
const ofPhone = specs(
  'accounts',
  'any-topup',
  'browse',
  'card',
  'first-load',
  'hostile-browser',
  'new-password',
  'purchase',
  'second-factor',
  'shopping',
  'topups',
)
const ofDesktop = specs('admin-operations', 'decimals', 'pages', 'purchase')

export default defineConfig({
  testDir: 'proof/e2e',
  outputDir: 'test-results/journeys',
  globalSetup: './proof/e2e/global-setup.ts',
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  workers: 2,
  retries: 0,
  timeout: 180_000,
  // A page comes alive later when both cores are busy with the other journeys.
  expect: { timeout: 30_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    baseURL: process.env.STORE_URL,
    locale: 'ru-RU',
    // What a journey does to the network must not pass one by.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: knownChromium(), args: [...quiet, ...quieter, ...rootOnly] },
  },
  projects: [
    {
      name: 'phone',
      testMatch: ofPhone,
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    },
    { name: 'desktop', testMatch: ofDesktop, use: { viewport: { width: 1440, height: 900 } } },
  ],
})

import './node-version.mjs'
import { readFileSync, rmSync } from 'node:fs'
import { buildWeb } from './build.mjs'
import { runChecks } from './checks.mjs'
import { findChromium } from './chromium.mjs'
import { countJourneys, countUnitTests, withExitCode } from './count.mjs'
import { installDependencies } from './install.mjs'
import { nodeBinary, program, Refusal, root, run } from './run.mjs'

const reports = `${root}test-results`

/**
 * Runs a test runner that leaves a json report, and counts.
 * @param {string[]} command
 * @param {string} report
 * @param {(report: any) => import('./count.mjs').Count} count
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runTests(command, report, count, env = process.env) {
  rmSync(report, { force: true })
  const code = await run(nodeBinary(), command, { env })
  try {
    return withExitCode(count(JSON.parse(readFileSync(report, 'utf8'))), code)
  } catch {
    throw new Refusal('The test runner left no report.')
  }
}

/** @type {Record<string, () => Promise<import('./count.mjs').Count>>} */
const steps = {
  check: runChecks,
  unit: () => {
    const report = `${reports}/unit.json`
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    return runTests([`${root}node_modules/vitest/vitest.mjs`, 'run', ...reporters], report, countUnitTests)
  },
  rows: async () => {
    const code = await run(nodeBinary(), ['scripts/check-rows.ts'])
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  },
  e2e: async () => {
    const chromium = await findChromium()
    await buildWeb()
    const env = { ...process.env, ...(chromium && { CHROMIUM_PATH: chromium }) }
    const cli = `${root}node_modules/@playwright/test/cli.js`
    return runTests([cli, 'test'], `${reports}/journeys.json`, countJourneys, env)
  },
}

await program(async () => {
  const [option, only = ''] = process.argv.slice(2)
  if (option !== undefined && (option !== '--only' || !(only in steps))) {
    throw new Refusal(`Usage: npm test [-- --only ${Object.keys(steps).join('|')}]`)
  }
  const total = { passed: 0, failed: 0 }
  /** @type {string[]} */
  const endings = []
  for (const [name, step] of Object.entries({ install, ...steps })) {
    if (only !== '' && name !== only && name !== 'install') continue
    console.log(`\n== ${name}`)
    /** @type {import('./count.mjs').Count} */
    const {
      passed,
      failed,
      failures = [],
    } = await step().catch((error) => {
      console.error(error instanceof Refusal ? error.message : error)
      return { passed: 0, failed: 1 }
    })
    total.passed += passed
    total.failed += failed
    if (failed > 0) endings.push(`✗ ${name}: ${failed} failed`, ...failures)
  }
  if (endings.length > 0) console.log(`\n== What failed\n${endings.join('\n')}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  return total.failed === 0 ? 0 : 1
})

async function install() {
  await installDependencies()
  return { passed: 0, failed: 0 }
}

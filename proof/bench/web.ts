import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { findChromium } from '../../scripts/chromium.mjs'
import type { Options } from './options.ts'
import { makeStore } from './store.ts'
import { median, printCells } from './table.ts'

// Fetched when it is asked for: see docs/decisions/011-lighthouse.md.
const lighthouse = 'lighthouse@13.5.0'
const pages = { home: '/', list: '/products', product: '/products/roblox' }
/** It takes half a minute; a browser that hangs must not hold the run up for good. */
const reportWithinMs = 180_000
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

interface Report {
  /** How quick the machine was just then, in points of Lighthouse's. */
  environment: { benchmarkIndex: number }
  categories: Record<(typeof categories)[number], { score: number; auditRefs: { id: string; weight: number }[] }>
  audits: Record<
    string,
    { title: string; score: number | null; numericValue?: number; details?: { items?: unknown[] } }
  >
}

interface Figures {
  /** By how much the machine was slowed down to the phone. */
  slowdown: number
  scores: number[]
  layoutShift: number
  scriptKb: number
  /** What took points, in Lighthouse's words. */
  complaints: string[]
}

/** Counts for as long as its parent lives, so that one core does nothing else. */
const busyProgram =
  "process.once('disconnect', () => process.exit()); (function count() { for (let at = 0; at < 1e8; at++); setImmediate(count) })()"

/**
 * What the slow phone would have. Lighthouse takes any machine for a quick desktop, of 1,500 to 2,000 points, and its phone for four times
 * slower; on other machines one is to calibrate, says its documentation: https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md
 */
const phonePoints = 1750 / 4

/**
 * Lighthouse, as on a slow phone, on the built store; with `isBusy` while another process wants one core all the time. How
 * much quicker the machine is than the phone is found out before each round, while the other process is not there: a slow
 * minute of the machine is no slower phone. Answers whether every goal is met.
 */
export async function measureWeb({ rounds, isBusy }: Pick<Options, 'rounds' | 'isBusy'>): Promise<boolean> {
  const store = await makeStore()
  try {
    const server = await store.open()
    const rows: string[][] = []
    for (const [name, path] of Object.entries(pages)) {
      const address = (server.url + path).replace('127.0.0.1', 'localhost')
      const figures: Figures[] = []
      for (let round = 0; round < rounds; round++) {
        const slowdown = Math.max(1, (await toReport(address)).environment.benchmarkIndex / phonePoints)
        figures.push(await (isBusy ? besideBusy(() => toFigures(address, slowdown)) : toFigures(address, slowdown)))
      }
      rows.push(toRow(name, figures))
      for (const complaint of new Set(figures.flatMap(({ complaints }) => complaints)))
        console.log(`${name}: ${complaint}`)
    }
    await server.stop()
    printCells([['', ...categories, 'layout shift', 'JavaScript', 'slowed down', ''], ...rows])
    return rows.every((row) => row.at(-1) === 'passed')
  } finally {
    await store.remove()
  }
}

async function besideBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const other = spawn(process.execPath, ['--eval', busyProgram], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  try {
    return await work()
  } finally {
    other.kill()
  }
}

async function toFigures(address: string, slowdown: number): Promise<Figures> {
  const { categories: found, audits } = await toReport(address, slowdown)
  const requests = (audits['network-requests']?.details?.items ?? []) as { url: string; resourceType: string }[]
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url)
  const refs = Object.values(found).flatMap(({ auditRefs }) => auditRefs)
  return {
    slowdown,
    scores: categories.map((category) => Math.round(found[category].score * 100)),
    layoutShift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    scriptKb:
      (await Promise.all([...new Set(scripts)].map(gzippedBytes))).reduce((sum, bytes) => sum + bytes, 0) / 1000,
    complaints: refs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      return weight > 0 && audit && audit.score !== null && audit.score < 0.9 ? [audit.title] : []
    }),
  }
}

/** Now and then its browser hangs or shows nothing; that says nothing of the page, so it is asked once more. */
const toReport = (address: string, slowdown = 1): Promise<Report> =>
  runLighthouse(address, slowdown).catch((error: Error) => {
    console.log(`No report of ${address}, so it is asked for again: ${error.message.split('\n', 1)}`)
    return runLighthouse(address, slowdown)
  })

async function runLighthouse(address: string, slowdown: number): Promise<Report> {
  const chromium = await findChromium()
  const flags = ['--headless=new', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])]
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      lighthouse,
      address,
      '--output=json',
      '--quiet',
      `--only-categories=${categories}`,
      `--throttling.cpuSlowdownMultiplier=${slowdown}`,
      `--chrome-flags=${flags.join(' ')}`,
    ],
    {
      env: { ...process.env, ...(chromium && { CHROME_PATH: chromium }) },
      maxBuffer: 64 * 1024 * 1024,
      timeout: reportWithinMs,
    },
  )
  return JSON.parse(stdout)
}

const gzippedBytes = async (address: string): Promise<number> =>
  gzipSync(Buffer.from(await (await fetch(address)).arrayBuffer())).length

function toRow(name: string, figures: Figures[]): string[] {
  const scores = categories.map((_, index) => median(figures.map(({ scores }) => scores[index] ?? 0)))
  const layoutShift = median(figures.map((one) => one.layoutShift))
  const scriptKb = median(figures.map((one) => one.scriptKb))
  const [performance = 0, ...others] = scores
  const isMet = performance >= 95 && others.every((score) => score === 100) && layoutShift < 0.02 && scriptKb <= 150
  const slowdown = median(figures.map((one) => one.slowdown))
  const told = [layoutShift.toFixed(3), `${scriptKb.toFixed(1)} kB`, `${slowdown.toFixed(1)} x`]
  return [name, ...scores.map(String), ...told, isMet ? 'passed' : 'missed']
}

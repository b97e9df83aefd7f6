import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { breaks } from './breaks.ts'

// A run takes about ten seconds with two cores to itself.
const timeout = 240_000
const patienceMs = timeout - 10_000

const run = (...options: string[]): Promise<{ code: number | null; out: string }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('run.ts', import.meta.url)), ...options])
  // A test that takes too long must not leave a PostgreSQL behind.
  onTestFinished(() => void child.kill('SIGTERM'))
  let out = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      out += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('close', (code) => resolve({ code, out }))
    // How far it came says more than that the test took too long.
    const tell = () => reject(new Error(`Not through after ${patienceMs / 1_000} s:\n${out.slice(-2_000)}`))
    const impatience = setTimeout(tell, patienceMs)
    onTestFinished(() => clearTimeout(impatience))
  })
}

/** What did not hold, with its particulars, so that a red run says itself what to look for. */
const findBroken = (out: string): readonly string[] => out.match(/^✗.*(?:\n {6}.*)*/gm) ?? []

const small = ['--carts', '150', '--codes', '100', '--kills', '2']
const fewPayments = ['payments', '--payments', '80', '--codes', '1400', '--kills', '2']
const fewTopups = ['topups', '--carts', '120', '--kills', '2']
const fewCoupons = ['coupons', '--carts', '60', '--rounds', '4', '--codes', '600', '--clients', '32', '--kills', '2']
const smallRestore = ['restore', '--orders', '60', '--codes', '3000', '--clients', '4']
// Buyers buy as long as it takes, and on a busy machine that is several times as long.
const smallUpdate = ['update', '--orders', '2000', '--codes', '20000']
const sizes = {
  carts: small,
  ledger: small,
  payments: fewPayments,
  topups: fewTopups,
  coupons: fewCoupons,
  restore: smallRestore,
  update: smallUpdate,
}

/** What each planted fault must be found by. */
const findings: Record<string, RegExp> = {
  'read-then-write-debit': /✗ invariants broken .*\n(.*\n)* {6}3 balance-is-its-transfers/,
  'no-sale-key': /✗ codes sold twice/,
  // What was lost with the commits: orders that were acknowledged, or what somebody was shown, or that a code was sold.
  'asynchronous-commit': /✗ (acknowledged orders lost|balances shown that never were|codes sold twice)/,
  'resend-on-timeout': /✗ invariants broken .*\n(.*\n)* {6}9 one-order-a-cart/,
  'blind-resend': /✗ (delivered other than exactly once|refunded and delivered all the same)/,
  'failover-on-unknown': /✗ delivered by two suppliers/,
  'double-refund': /✗ paid back more than was paid/,
  'expire-without-lock': /✗ orders paid and expired/,
  'frozen-price': /✗ sold or opened at a price that was over/,
  'perform-twice': /✗ the providers' books and the ledger/,
  'part-returned-twice': /✗ invariants broken .*\n(.*\n)* {6}27 parts-are-reserved/,
  'charge-not-compared': /✗ orders delivered for another sum than was charged/,
  'fee-booked-twice': /✗ the providers' books and the ledger/,
  'restore-without-reconcile': /✗ from the backup alone: codes sold twice/,
  'locked-table': /✗ the next release migrates and starts .*\n {6}a sale waited/,
  'asynchronous-standby': /✗ acknowledged orders lost/,
  'fee-left-out': /✗ the providers' books and the ledger/,
  'coupon-read-then-write': /✗ coupons used more often than they may be/,
  'ready-while-ending': /✗ nodes that went before a proxy could notice/,
  'ready-reads-only': /✗ not ready/,
  'pages-first': /✗ pages shed, by 503 with Retry-After/,
}

test('a small run with kills of servers and of PostgreSQL keeps every promise', { timeout }, async () => {
  const { code, out } = await run(...small)
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/kills of servers \+ of PostgreSQL +2 \+ 1/)
  expect(code).toBe(0)
})

test('a small run behind a pooler, which gives each transaction another session, keeps every promise', {
  timeout,
}, async () => {
  const { code, out } = await run(...small, '--pooler')
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/✓ answers of 500 +0/)
  expect(code).toBe(0)
})

test('a small run of payments, told often and in any order, keeps every promise', { timeout }, async () => {
  const { code, out } = await run(...fewPayments)
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/kills of servers \+ of PostgreSQL +2 \+ 1/)
  expect(code).toBe(0)
})

test('the next release starts beside the one before, whose nodes start again, and no sale waits long', {
  timeout,
}, async () => {
  // Shared cores make everybody wait now and then; how long it may be on quiet ones is for the run by itself.
  const { code, out } = await run(...smallUpdate, '--wait-ms', '4000')
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/✓ nodes that did not start again +0/)
  expect(code).toBe(0)
})

test('a store whose disk is lost goes on from its backup, with the WAL and without, and sells nothing twice', {
  timeout,
}, async () => {
  const { code, out } = await run(...smallRestore)
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/✓ with the WAL: codes sold twice +0/)
  expect(code).toBe(0)
})

test('the breaks can be listed, and each has what it must be found by', async () => {
  const { code, out } = await run('--list-breaks')
  expect([code, out.trim().split('\n')]).toEqual([0, Object.keys(breaks)])
  expect(Object.keys(findings)).toEqual(Object.keys(breaks))
})

test('a small run of top-ups delivers each once, by one of two suppliers, or refunds it', { timeout }, async () => {
  const { code, out } = await run(...fewTopups)
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/kills of servers \+ of PostgreSQL +2 \+ 1/)
  expect(code).toBe(0)
})

test('a small run of coupons gives each as often as it may be used, and the last use to one', { timeout }, async () => {
  const { code, out } = await run(...fewCoupons)
  expect(findBroken(out)).toEqual([])
  expect(out).toContain('Everything promised was kept.')
  expect(out).toMatch(/kills of servers \+ of PostgreSQL +2 \+ 1/)
  expect(code).toBe(0)
})

// The runs that need other programs, built pages and minutes are for quiet cores: docs/reliability.md says how, with their breaks.
const foundHere = Object.entries(findings).flatMap(([name, finding]) => {
  const mode = breaks[name]?.mode ?? 'carts'
  return mode in sizes ? [{ name, finding, size: sizes[mode as keyof typeof sizes] }] : []
})

test.each(foundHere)('with the break $name it fails', { timeout }, async ({ name, finding, size }) => {
  // What a kill meets is a matter of chance: on a busy machine a run may break less than it does by itself.
  let { code, out } = await run(...size, `--break=${name}`)
  for (let again = 0; again < 2 && !finding.test(out); again++) ({ code, out } = await run(...size, `--break=${name}`))
  expect(findBroken(out)).not.toEqual([])
  expect(out).toMatch(finding)
  expect(code).toBe(1)
})

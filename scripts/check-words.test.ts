import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkWords } from './check-words.ts'

let root: string

/** Enough lines to be no short file, and few enough names to the thousand. */
const padding = '\n'.repeat(30)

async function plant(file: string, code: string): Promise<void> {
  const path = join(root, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${code}${padding}`)
}

const complaints = () =>
  checkWords(root).complaints.map(({ rule, file, line, text }) => `${file}:${line} ${rule}: ${text}`)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'olmos-words-'))
  await plant('server/src/numbers.ts', '\n'.repeat(1000))
})

afterEach(() => rm(root, { recursive: true }))

test('good code passes', async () => {
  await plant(
    'server/src/cart.ts',
    `/** Locks the cart until the transaction ends. Is of no use without one, and says the same twice. */
export async function lockCart(tx: Tx, { id, held_until: until }: Cart) {
  const refusal = 'BALANCE_ON_HOLD' // "rate.held" is an alert of the wire
  const household = { held: true, held_until: 1, 'giveBack': 2 }
  const found = await tx.one(\`SELECT 'https://x' -- a URL is no comment
    FROM cart\`)
  const pages = await Promise.all([read(id), read(found)])
  return lock(tx, 'cart', id, /\\/\\/ Of/, '// Of a string', household, refusal, pages)
}
export const readOf2 = (list: string[]) => list.map((id) => lockCart(id))
export const total = (tx: Tx, id: number) => sum(id, tx)
`,
  )
  expect(complaints()).toEqual([])
})

describe('names', () => {
  test.each([
    ['const heldCart = 1', 'name: heldCart: say locked, reserved, leased or pending'],
    ['function holdCodes() {}', 'name: holdCodes: say lock, reserve, lease or pending'],
    ['const [a, { b: held }] = c', 'name: held: say locked, reserved, leased or pending'],
    ['const f = (notice = 1) => notice', 'name: notice: say toast, webhook or notification'],
    ['function f({ isHeld }: X) {}', 'name: isHeld: say locked, reserved, leased or pending'],
    ['function f(...holds: X) {}', 'name: holds: say locks, reservations or leases'],
    ['interface HeldRow {}', 'name: HeldRow: say locked, reserved, leased or pending'],
    ['type Notices = 1', 'name: Notices: say toasts, webhooks or notifications'],
    ['class HoldingX {}', 'name: HoldingX: say locking, reserving or leasing'],
    ['interface X { askAnew: 1 }', 'name: askAnew: say again or retry'],
    ['const x = { askAnew: 1 }', 'name: askAnew: say again or retry'],
    ['const x = { askAnew() { return 1 } }', 'name: askAnew: say again or retry'],
    ['const goOn = 1', 'name: goOn: say resume'],
    ['function goOnWith() {}', 'name: goOnWith: say resume'],
    ['function tellOf() {}', 'name: tellOf: say report or notify'],
    ['function giveBack() {}', 'name: giveBack: say refund (money), return (codes)'],
    ['class X { #goOn() {} }', 'name: goOn: say resume'],
    ['class X { #heldBytes = 1 }', 'name: heldBytes: say locked, reserved, leased or pending'],
    ['const isFree = (write: X) => orDuplicate(write, 1)', 'predicate that writes: isFree: name what it does'],
    ['async function hasRoom(tx: Tx) { await tx.run(1) }', 'predicate that writes: hasRoom: name what it does'],
    ['function stateOf() {}', 'function named xOf: stateOf: name what it returns, or the verb'],
    ['const stateOf = () => 1', 'function named xOf: stateOf: name what it returns, or the verb'],
    ['const x = { stateOf() { return 1 } }', 'function named xOf: stateOf: name what it returns, or the verb'],
    ['export const found = () => 1', 'exported function: found: say the thing that was found'],
    ['export function named() {}', 'exported function: named: say the thing that has the name'],
    ['export function around() {}', 'exported function: around: say what it returns'],
    ['export function along() {}', 'exported function: along: say what it returns'],
  ])('%s', async (code, complaint) => {
    await plant('server/src/planted.ts', `\n${code}\n`)
    expect(complaints()).toContain(`server/src/planted.ts:2 ${complaint}`)
  })
})

describe('comments', () => {
  test.each([
    ['/** Of a cart that is an order. */', '"Of": say a sentence with a verb'],
    ['// of no use', '"of": say a sentence with a verb'],
    ['const a = 1 // The same for codes', '"The same": say what it is, for a reader who has seen nothing before it'],
    ['// Pages\n// come alive.', '"come alive": say hydrate'],
    ['/*\n * Pages goes on with it\n */', '"goes on with": say resume'],
    ['// Shows the picture of before', '"of before": say earlier, previous'],
    ['// Asks anew', '"anew": say again'],
    ['// Money is given back', '"given back": say refund (money), return (codes)'],
    ['// Tells of it', '"Tells of": say report, mention'],
    ['// calls the operator', '"calls the operator": say raise an alert'],
    ['// Makes room', '"Makes room": say evict, expire'],
    ['// a vendor’s noes', '"noes": say rejections'],
    ['// Whoever pays', '"Whoever": say anyone who, the caller, the customer'],
    ['// a toast for whoever pays', '"for whoever": say anyone who, the caller, the customer'],
    ['// Shows what of it is set', '"what of it": say the part of'],
    ['// a word of a provider', '"a word of": say an answer, a webhook'],
    [
      'const sql = `SELECT 1 -- x\n  -- The same\n`',
      '"The same": say what it is, for a reader who has seen nothing before it',
    ],
    ['const x = <p>// no comment</p> // Of', '"Of": say a sentence with a verb'],
  ])('%s', async (code, complaint) => {
    const file = code.includes('<p>') ? 'web/planted.tsx' : 'server/src/planted.ts'
    await plant(file, `// Pays for «é» in ₽.\n\n${code}\n`)
    expect(complaints()).toEqual([expect.stringMatching(`^${file}:[34] comment: `)])
    expect(complaints()[0]).toContain(complaint)
  })
})

describe('texts of the server', () => {
  test.each([
    ["log.warn({ id }, 'told of it')", '"told of": say report, mention'],
    ["shop.log.info('asks anew')", '"anew": say again'],
    ['console.log(`asks ${name} anew`)', '"anew": say again'],
    ["throw new Failure('CONFLICT', { id }, 'what of the order is left')", '"what of the": say the part of'],
    ["throw isOne ? x : new Error('a ' + `${id} of before`)", '"of before": say earlier, previous'],
  ])('%s', async (code, complaint) => {
    await plant('server/src/planted.ts', `\n${code}\n`)
    expect(complaints()).toEqual([`server/src/planted.ts:2 text that is logged or thrown: ${complaint}`])
  })

  test.each([
    ['server/src/planted.ts', "print('told of it')"],
    ['server/test/planted.ts', "throw new Error('told of it')"],
    ['web/app/planted.ts', "throw new Error('told of it')"],
  ])('and no others: %s %s', async (file, code) => {
    await plant(file, code)
    expect(complaints()).toEqual([])
  })
})

test('a name is exported once where both could be imported', async () => {
  await plant('contract/src/money.ts', 'export type Money = 1\nexport const a = 1, { b } = c')
  await plant(
    'server/src/money.ts',
    'export interface Money {}\nexport { a as b }\nexport { x as Money2 } from "./y.ts"',
  )
  await plant(
    'server/src/overload.ts',
    'export function f(a: 1): 1\nexport function f(a: 2): 2\nexport function f() {}',
  )
  await plant('torture/money.ts', 'export const a = 1')
  for (const page of ['Home', 'Cart'])
    await plant(`web/app/${page}.tsx`, 'export const meta = 1\nexport function loader() {}')
  for (const language of ['en', 'ru']) await plant(`web/app/${language}.ts`, 'export const texts = {}')
  expect(complaints()).toEqual([
    'server/src/money.ts:1 exported twice: Money is exported from contract/src/money.ts too',
    'server/src/money.ts:2 exported twice: b is exported from contract/src/money.ts too',
  ])
})

test.each([
  'function a(b: B, c: C) { return d(b, c) }',
  'export async function a(b: B) { await d(b) }',
  'const a = (b: B) => d(b)',
  'const a = async function (b: B) { return await d(b) }',
  'function a() { d() }',
])('a function that renames another: %s', async (code) => {
  await plant('server/src/planted.ts', code)
  expect(complaints()).toEqual(['server/src/planted.ts:1 renaming function: a only calls d with its own parameters'])
})

test.each([
  'function a(b: B, c: C) { return d(c, b) }',
  'function a(b = 1) { return d(b) }',
  'const a = list.map((b) => d(b))',
  'const a = (b: B) => b.d(b)',
  'const a = (b: B) => d(b, 1)',
  'const a = (run: B) => run()',
])('a function that does more: %s', async (code) => {
  await plant('server/src/planted.ts', code)
  expect(complaints()).toEqual([])
})

test.each([
  'async function a(tx: Tx) { await Promise.all([b(tx), c(tx)]) }',
  'const a = async (tx: Tx, id: number) => { if (id) { const [x, y] = await Promise.all([b(tx), 1]) } }',
])('statements of a transaction in an array: %s', async (code) => {
  await plant('server/src/planted.ts', code)
  expect(complaints()).toEqual([
    'server/src/planted.ts:1 positional Promise.all: statements of a transaction are handed over by name',
  ])
})

test('a file of ten lines, but for tests', async () => {
  await writeFile(join(root, 'server/src/short.ts'), 'const a = 1\n'.repeat(10))
  await writeFile(join(root, 'server/src/short.test.ts'), 'const a = 1\n'.repeat(10))
  expect(complaints()).toEqual(['server/src/short.ts:1 short file: 10 lines are a part of a neighbour'])
})

test('more names than a reader can keep in mind', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `export const name${at} = ${at}\n`)
  await plant('server/src/names.ts', names.join(''))
  expect(complaints()).toEqual([
    'server/src:1 too many exported names: 60 names in 1120 lines are more than 35 per 1,000 lines',
  ])
})

test('this house', () => {
  expect(checkWords(join(import.meta.dirname, '..')).files).toBeGreaterThan(1000)
})

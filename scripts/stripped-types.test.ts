import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nodeBinary } from './run.mjs'

let project: string
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'olmos-types-'))
  for (const folder of ['scripts', 'server', 'node_modules']) await mkdir(join(project, folder))
  await cp(new URL('./stripped-types.mjs', import.meta.url), join(project, 'scripts/stripped-types.mjs'))
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(join(project, 'server/price.ts'), 'export const price: number = 5')
  await writeFile(
    join(project, 'server/main.ts'),
    `import { isMainThread, Worker } from 'node:worker_threads'
    import { price } from './price.ts'
    console.log(isMainThread, price)
    if (isMainThread) new Worker(new URL(import.meta.url))`,
  )
})
afterEach(() => rm(project, { recursive: true }))

/** Runs the program and resolves to what its two threads printed. */
async function start(): Promise<string> {
  const preload = `--import=${join(project, 'scripts/stripped-types.mjs')}`
  const { stdout, stderr } = await promisify(execFile)(nodeBinary(), [preload, join(project, 'server/main.ts')])
  expect(stderr).toBe('')
  return stdout
}

const kept = () => join(project, 'node_modules/.cache/stripped-types')

test('both threads run what is kept, until its source changes', async () => {
  expect(await start()).toBe('true 5\nfalse 5\n')
  expect(await readdir(kept())).toEqual(['server-main.ts', 'server-price.ts'])
  const place = join(kept(), 'server-price.ts')
  await writeFile(place, (await readFile(place, 'utf8')).replace('= 5', '= 6'))
  expect(await start()).toBe('true 6\nfalse 6\n')
  await writeFile(join(project, 'server/price.ts'), 'export const price: bigint = 7n')
  expect(await start()).toBe('true 7n\nfalse 7n\n')
})

test('what is kept in part is stripped again', async () => {
  await start()
  await writeFile(join(kept(), 'server-price.ts'), 'export const')
  expect(await start()).toBe('true 5\nfalse 5\n')
})

test('a folder that cannot be written to costs nothing but memory', async () => {
  await mkdir(join(project, 'node_modules/.cache'))
  await writeFile(kept(), '')
  expect(await start()).toBe('true 5\nfalse 5\n')
})

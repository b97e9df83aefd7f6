import { execFile, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Script } from './pgbench-script.ts'

const threads = 2

export const howToGetPgbench =
  'pgbench is not on the PATH, so the checkout has nothing to be measured against. It comes with PostgreSQL: ' +
  'apt-get install postgresql-contrib (Debian, Ubuntu), brew install postgresql (macOS).'

/** The newest there is, on the PATH or where Debian puts it. */
export function findPgbench(): string | undefined {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench'
  const found = globSync('/usr/lib/postgresql/*/bin/pgbench').filter(existsSync)
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

export interface PgbenchRun {
  program: string
  databaseUrl: string
  script: Script
  clients: number
  checkouts: number
  firstBuyer: number
  cartVersion: number
}

/** Runs the script and answers transactions a second. Throws when one of them failed. */
export async function runPgbench(run: PgbenchRun): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-pgbench-'))
  try {
    const path = join(folder, 'checkout.sql')
    await writeFile(path, run.script.text)
    const variables = {
      ...run.script.variables,
      turn: -1,
      first: run.firstBuyer,
      version: run.cartVersion,
    }
    const options = [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${run.clients}`,
      `--jobs=${threads}`,
      `--transactions=${run.checkouts / run.clients}`,
      `--file=${path}`,
      ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ]
    const { stdout } = await promisify(execFile)(run.program, [...options, run.databaseUrl], {
      env: { ...process.env, PGOPTIONS: run.script.connectionOptions },
    })
    if (!stdout.includes(`processed: ${run.checkouts}/${run.checkouts}`)) throw new Error(`pgbench failed:\n${stdout}`)
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

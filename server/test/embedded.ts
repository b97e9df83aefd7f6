import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'

export const nobody = { uid: 65534, gid: 65534 }

/**
 * Runs a server in its own process group; its first line of output is the url, and it obeys its input: stop or exit.
 */
const program = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(import.meta.resolve('../src/platform/embedded/embedded-postgres.ts'))})
  process.on('SIGINT', () => {})
  const { url, stop } = await startEmbeddedPostgres({ dataDir: process.argv[1] })
  console.log(url)
  process.stdin.on('data', (word) => (String(word) === 'stop' ? stop() : Promise.resolve()).then(() => process.exit()))`

/** A data folder for one test, with everything that was started in it; `end` stops and removes it all. */
export class EmbeddedRuns {
  readonly folder: string
  readonly dataDir: string
  readonly #ends: (() => unknown)[] = []

  private constructor(folder: string) {
    this.folder = folder
    this.dataDir = join(folder, 'data')
  }

  /** Makes folders that everybody can enter, whatever the umask. */
  static async create(): Promise<EmbeddedRuns> {
    const runs = new EmbeddedRuns(await mkdtemp(join(tmpdir(), 'olmos-embedded-')))
    await mkdir(runs.dataDir)
    for (const folder of [runs.folder, runs.dataDir]) await chmod(folder, 0o755)
    return runs
  }

  async start(dataDir = this.dataDir) {
    const postgres = await startEmbeddedPostgres({ dataDir })
    this.#ends.push(async () => {
      await postgres.stop()
      // The data may be elsewhere, and DATA_DIR/postgres only a link to it.
      const made = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
      if (made !== undefined) await rm(made, { recursive: true })
    })
    return postgres
  }

  /** Starts it in a process of its own, as the server does. */
  startServer(user?: typeof nobody): ChildProcess {
    const server = spawn(process.execPath, ['--input-type=module', '-e', program, this.dataDir], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#ends.push(async () => {
      server.kill('SIGKILL')
      const orphan = await this.postmasterPid().catch(() => undefined)
      if (orphan !== undefined && isAlive(orphan)) process.kill(orphan, 'SIGQUIT')
    })
    return server
  }

  async postmasterPid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  }

  async end(): Promise<void> {
    for (const end of this.#ends.reverse()) await end()
    await rm(this.folder, { recursive: true, force: true })
  }
}

export async function toUrl(server: ChildProcess): Promise<string> {
  const [line] = await once(server.stdout as NodeJS.ReadableStream, 'data')
  return String(line).trim()
}

export async function kill(server: ChildProcess): Promise<void> {
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
}

/** Runs one statement and returns its rows as one list of values. */
export async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' })
    return rows.flat()
  } finally {
    await client.end()
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Closers } from '../../server/src/platform/closing.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { freePort } from '../../server/src/platform/embedded/supervisor.ts'
import { openShop, type TestShop } from '../../server/test/shop.ts'
import { startDatabaseServer } from '../torture/database-server.ts'
import { launchServer, type ServerProcess } from '../torture/server-process.ts'

/** A store in a process of its own, and a node of it in this process that makes what the requests are about. */
export interface FuzzedStore {
  port: number
  shop: TestShop
  server: ServerProcess
  /** What the server wrote at the level of errors, or in another way than its log. */
  errorLines(): string[]
}

const plant = fileURLToPath(new URL('plant.ts', import.meta.url))
/** Of nobody: what a mutated setting makes the store ask for must not leave this machine. */
const nowhere = 'http://127.0.0.1:9'

/** Whatever it starts is in `closers` first. */
export async function openStore(planted: string | undefined, closers: Closers): Promise<FuzzedStore> {
  const postgres = await startDatabaseServer()
  closers.push(() => postgres.stop())
  await migrate(postgres.url)
  const secretKey = randomBytes(32)
  const settings = { RATES_SOURCE: 'fixed', CBR_BASE_URL: nowhere, CBU_BASE_URL: nowhere }
  const port = await freePort()
  const server = launchServer({
    port,
    folder: postgres.folder,
    env: {
      DATABASE_URL: postgres.serverUrl,
      DATABASE_DIRECT_URL: postgres.url,
      SECRET_KEY: secretKey.toString('hex'),
      DEMO: 'off',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
      ...(planted !== undefined && { PLANTED_FAULT: planted }),
    },
    ...(planted !== undefined && { importFirst: plant }),
  })
  closers.push(() => server.stop())
  await server.untilOpen()
  const shop = await openShop(settings, { url: postgres.url, secretKey })
  closers.push(() => shop.close())
  const log = join(postgres.folder, `server-${port}.log`)
  return { port, shop, server, errorLines: () => errorsIn(readFileSync(log, 'utf8').split('\n')) }
}

const errorLevel = 50

/** Lines of pino at the level of errors, and whatever it did not write: Node's own complaints. */
export function errorsIn(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('Olmos is open') && !isHarmless(line))
}

function isHarmless(line: string): boolean {
  try {
    return JSON.parse(line).level < errorLevel
  } catch {
    return /^Log in as /.test(line)
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Closers } from '../../server/src/platform/process.ts'
import { openShop, type TestShop } from '../../server/test/shop.ts'
import { plantModules } from '../break.ts'
import { openGround, openServer } from '../ground.ts'
import type { ServerProcess } from '../server-process.ts'
import { breaks } from './breaks.ts'

/** A store in a process of its own, and a node of it in this process that makes what the requests are about. */
export interface FuzzedStore {
  shop: TestShop
  server: ServerProcess
  /** What the server wrote at the level of errors, or in another way than its log. */
  errorLines(): string[]
}

/** Nobody listens there: what a mutated setting makes the store ask for must not leave this machine. */
const nowhere = 'http://127.0.0.1:9'

/** Whatever it starts is in `closers` first. */
export async function openStore(planted: string | undefined, closers: Closers): Promise<FuzzedStore> {
  const ground = await openGround(closers)
  const { postgres, secretKey } = ground
  const rates = { RATES_SOURCE: 'fixed', CBR_BASE_URL: nowhere, CBU_BASE_URL: nowhere }
  const settings = { ...rates, ...plantModules(breaks[planted ?? ''] ?? {}, import.meta.url) }
  const server = await openServer(ground, closers, settings)
  const shop = await openShop(rates, { url: postgres.url, secretKey })
  closers.push(() => shop.close())
  const log = join(postgres.folder, `server-${server.port}.log`)
  return {
    shop,
    server,
    errorLines: () => errorsIn(readFileSync(log, 'utf8').split('\n')),
  }
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

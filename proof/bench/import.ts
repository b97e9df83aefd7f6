import { randomBytes } from 'node:crypto'
import { LIMITS } from '@olmos/contract/limits'
import { WEB_LIMITS } from '../../web/app/limits.ts'
import { callsTo, importCodes } from '../operator.ts'
import type { RunningServer } from './store.ts'

export interface Imported {
  lines: number
  seconds: number
  /** The server's memory before the import, and at most. */
  memoryMb: number
  mostMemoryMb: number
}

/** Imports as many codes as an import may have, as the page does: all parts are rehearsed first, then sent. */
export async function measureImport(server: RunningServer, token: string, productId: number): Promise<Imported> {
  const memoryMb = server.memoryMb()
  let mostMemoryMb = memoryMb
  const run = randomBytes(4).toString('hex')
  const toLine = (line: number) => `${run}-${randomBytes(8).toString('hex')}-${line},1.5,120,777000`
  const lines = Array.from({ length: LIMITS.importLinesMax }, (_, line) => toLine(line))
  const operator = callsTo(server.url, token)
  const send = async (from: number, batchId: number | undefined, dryRun: boolean) => {
    const part = { productId, lines: lines.slice(from, from + WEB_LIMITS.importPartLines), batchId }
    const report = await importCodes(operator, part, dryRun)
    if (report.added !== WEB_LIMITS.importPartLines)
      throw new Error(`not imported: ${JSON.stringify(report).slice(0, 300)}`)
    mostMemoryMb = Math.max(mostMemoryMb, server.memoryMb())
    return report.batch_id ?? undefined
  }
  const begun = performance.now()
  for (const dryRun of [true, false]) {
    let batchId: number | undefined
    for (let from = 0; from < lines.length; from += WEB_LIMITS.importPartLines)
      batchId = await send(from, batchId, dryRun)
  }
  return { lines: lines.length, seconds: (performance.now() - begun) / 1000, memoryMb, mostMemoryMb }
}

import type { ExportFormat } from '@olmos/contract/exports'
import { callsTo } from '../operator.ts'
import type { RunningServer } from './store.ts'

interface Exported {
  megabytes: number
  seconds: number
  /** The server's memory before the export, and at most. */
  memoryMb: number
  mostMemoryMb: number
}

const megabyte = 1024 * 1024
const measuredEach = 4 * megabyte

/** Downloads all of the stock, read as fast as it comes. */
export async function measureExport(server: RunningServer, token: string, format: ExportFormat): Promise<Exported> {
  const operator = callsTo(server.url, token)
  const { data } = await operator<{ data: { path: string } }>('POST', '/admin/exports', { what: 'stock', format })
  const memoryMb = server.memoryMb()
  let [mostMemoryMb, bytes, measured] = [memoryMb, 0, 0]
  const begun = performance.now()
  const answer = await fetch(`${server.url}${data.path}`, { headers: { 'accept-encoding': 'identity' } })
  if (!answer.ok || !answer.body) throw new Error(`the export answers ${answer.status}`)
  for await (const piece of answer.body) {
    bytes += piece.length
    if (bytes - measured < measuredEach) continue
    measured = bytes
    mostMemoryMb = Math.max(mostMemoryMb, server.memoryMb())
  }
  return { megabytes: bytes / megabyte, seconds: (performance.now() - begun) / 1000, memoryMb, mostMemoryMb }
}

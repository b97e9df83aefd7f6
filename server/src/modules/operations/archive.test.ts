import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { aPlayer, aTopupOrder, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { archive } from '../../commands/backup.ts'
import { sql } from '../../platform/database/queries.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { archiveCalls, readArchive } from './archive.ts'

const key = randomBytes(32)
const shop = useShop({ BACKUP_KEY: key.toString('hex') })
const month = new Date(Date.now() - 20 * 30 * 86_400_000).toISOString().slice(0, 7)
let orderId: string

beforeAll(async () => {
  // One that is delivered, one that is rejected, and one that nobody has answered and that therefore stays.
  const order = await aTopupOrder(shop, { players: [aPlayer(), aPlayer('6001'), aPlayer('6004')] })
  orderId = order.orderId
  await workOff(shopFor(shop))
})
beforeEach(async () => {
  await shop.database.run(sql`
    UPDATE delivery SET decided_at = now() - interval '3 years' WHERE decided_at IS NOT NULL`)
  await shop.database.run(sql`UPDATE supplier_call SET created_at = now() - interval '3 years'`)
})

async function useFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-archive-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const readCalls = async () => {
  const { calls } = await shop.database.one<{ calls: { id: number; state: string }[] }>(sql`
    SELECT json_agg(json_build_object('id', supplier_call.id, 'state', delivery.state) ORDER BY supplier_call.id) AS calls
    FROM supplier_call JOIN supplier_order ON supplier_order.id = supplier_call.supplier_order_id
    JOIN delivery ON delivery.id = delivery_id`)
  return calls
}
const readAll = async (path: string) => {
  const rows: unknown[] = []
  for await (const row of readArchive(path, key)) rows.push(row)
  return rows
}
const brokenInvariants = async () =>
  (await shop.database.snapshot((queries) => checkInvariants(queries))).filter(({ offenders }) => offenders > 0)

test('what is younger than a year and a half stays, and a month is asked for', async () => {
  const into = await useFolder()
  const young = new Date(Date.now() - 17 * 30 * 86_400_000).toISOString().slice(0, 7)
  await expect(archiveCalls(shop.database, { month: young, into, key })).rejects.toThrow('Name an earlier month.')
  const terminal = { ...shop, url: '', print: () => {}, progress: () => {}, closers: [] }
  await expect(archive.run(terminal, '', { before: '2024-13', into })).rejects.toThrow('Say before which month')
  expect(await readdir(into)).toEqual([])
})

test('cut short after the file was written nothing is lost: it is run again, and the next file has all of it', async () => {
  const into = await useFolder()
  const before = await readCalls()
  await shop.database.pool.query(`
    CREATE TRIGGER cut_short BEFORE DELETE ON supplier_call FOR EACH ROW EXECUTE FUNCTION refuse_change()`)
  await expect(archiveCalls(shop.database, { month, into, key })).rejects.toThrow('supplier_call is append-only')
  await shop.database.pool.query('DROP TRIGGER cut_short ON supplier_call')
  expect(await readCalls()).toEqual(before)

  const lines: string[] = []
  const terminal = { ...shop, url: '', print: (line: string) => void lines.push(line), progress: () => {}, closers: [] }
  expect(await archive.run(terminal, '', { before: month, into })).toBe(0)
  const [first = '', second = ''] = (await readdir(into)).sort().reverse()
  expect([first, second]).toEqual([
    `supplier-calls-before-${month}.jsonl.gz.sealed`,
    `supplier-calls-before-${month}-2.jsonl.gz.sealed`,
  ])
  expect((await stat(join(into, second))).mode & 0o777).toBe(0o600)

  const archived = await readAll(join(into, second))
  expect(await readAll(join(into, first))).toEqual(archived)
  expect(archived).toMatchObject([
    { order_id: orderId, position: 1, unit: 1, supplier: 'sandbox', kind: 'submit', outcome: 'done' },
    { order_id: orderId, position: 2, unit: 1, outcome: 'rejected' },
  ])
  const left = await readCalls()
  expect(left.every(({ state }) => state !== 'done' && state !== 'rejected')).toBe(true)
  expect(left.length).toBe(before.length - archived.length)
  expect(left.length).toBeGreaterThan(0)
  expect(await brokenInvariants()).toEqual([])

  await archive.run(terminal, '', { show: join(into, second) })
  expect(lines.at(-1)).toBe(JSON.stringify(archived.at(-1)))
  expect(await archiveCalls(shop.database, { month, into, key })).toEqual({ path: undefined, calls: 0 })

  await expect(readArchive(join(into, second), randomBytes(32)).next()).rejects.toThrow('another BACKUP_KEY')
  const bytes = await readFile(join(into, second))
  await writeFile(join(into, second), bytes.subarray(0, bytes.length - 20))
  await expect(readAll(join(into, second))).rejects.toThrow('is damaged or cut short')
})

import { randomBytes } from 'node:crypto'
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  aCardOrder,
  act,
  type CardOrder,
  expectSound,
  fillCart,
  onFullShelf,
  openedBy,
  passTime,
  startCardShop,
} from '../../../test/card-orders.ts'
import { aCoupon, countUses } from '../../../test/coupons.ts'
import { type G2bulkDouble, startG2bulk } from '../../../test/doubles/g2bulk.ts'
import { EmbeddedRuns } from '../../../test/embedded.ts'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { readWallet } from '../../../test/fillings.ts'
import { openShop, startShop, type TestShop } from '../../../test/shop.ts'
import { aTopupOffer, aTopupOrder, passDeliveryTime, readTopupState, workOff } from '../../../test/topup-orders.ts'
import { reconcileSalesCommand } from '../../commands/backup.ts'
import type { Database } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { sql } from '../../platform/database/queries.ts'
import { StartupError } from '../../platform/process.ts'
import { encrypt, logKey } from '../../platform/security/vault.ts'
import { expireOverdueOrders } from '../checkout/expire-order.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { restoreBackup, takeBackup } from './backup.ts'
import { reconcileSales } from './reconcile-sales.ts'
import { followSales, readLogEnd, readSalesLog } from './sales-log.ts'

const key = randomBytes(32)
const secretKey = randomBytes(32)
const log = { error: (reason: unknown) => void errors.push(reason) }
const errors: unknown[] = []
let runs: EmbeddedRuns
let shop: TestShop
let url: string
let offer: TestOffer
let buyer: TestUser
let dir: string

beforeAll(async () => {
  runs = await EmbeddedRuns.create()
  url = (await runs.start()).url
  await migrate(url)
  dir = join(runs.folder, 'sales')
  shop = await openShop({ SALES_LOG_DIR: dir, BACKUP_KEY: key.toString('hex') }, { url, secretKey })
  offer = await anOffer(shop, { stock: 30 })
  buyer = await aUser(shop, { usd: 100_000 })
}, 120_000)
afterAll(async () => {
  await shop?.close()
  await runs?.end()
})

async function buy(at: TestShop, quantity = 1): Promise<string> {
  const { token } = buyer
  await at.call('POST', '/cart/add', { token, body: toCart(offer, quantity) })
  const { status, body } = await at.call('POST', '/payment/from-balance', { token, body: { currency: 'USD' } })
  expect(status).toBe(201)
  return body.order.id
}

/** Names the codes that were sold, as they are in every copy of the database. */
const sold = async (database: Database) =>
  (
    await database.rows<{ fingerprint: Buffer }>(sql`
      SELECT code.fingerprint FROM code_sale JOIN code ON code.id = code_id`)
  ).map(({ fingerprint }) => fingerprint.toString('hex'))

const logged = async () =>
  (
    await Promise.all(
      (await readdir(dir)).filter((name) => name.endsWith('.log')).map((name) => readFile(join(dir, name))),
    )
  ).join('')

test('what is sold is in the log a moment later, without anybody asking', async () => {
  const following = await followSales(shop.database, { dir, key, log: log as never })
  try {
    const before = (await logged()).length
    await buy(shop)
    for (let tries = 0; (await logged()).length === before && tries < 100; tries++) await sleep(50)
    expect((await logged()).length).toBeGreaterThan(before)
    expect(await logged()).not.toContain('code')
  } finally {
    await following.stop()
  }
})

test('codes that left after the restored moment are not sold again', { timeout: 180_000 }, async () => {
  const config = { ...shop.config, databaseUrl: undefined, dataDir: runs.dataDir }
  const kept = await buy(shop)
  const backup = await takeBackup({ config, database: shop.database, url }, join(runs.folder, 'backups'))
  const atBackup = await sold(shop.database)
  // The first two orders are of a node that follows, the third of one that died before it wrote.
  const following = await followSales(shop.database, { dir, key, log: log as never })
  const lost = [await buy(shop, 3), await buy(shop, 2)]
  await following.stop()
  lost.push(await buy(shop))
  await (await followSales(shop.database, { dir, key, log: log as never })).stop()
  const left = (await sold(shop.database)).filter((one) => !atBackup.includes(one))
  expect(left).toHaveLength(6)
  // The power went while a line was written.
  const [name] = (await readdir(dir)).filter((file) => file.endsWith('.log'))
  await appendFile(join(dir, name as string), 'AAAA')

  const into = join(runs.folder, 'restored')
  await restoreBackup(backup, key, { into })
  const restored = await runs.start(into)
  const again = await openShop(
    { SALES_LOG_DIR: dir, BACKUP_KEY: key.toString('hex') },
    { url: restored.url, secretKey },
  )
  try {
    const lines: string[] = []
    const terminal = {
      config: again.config,
      database: again.database,
      url,
      print: (line: string) => lines.push(line),
      progress: () => {},
      closers: [],
    }
    expect(await reconcileSalesCommand.run(terminal, '', {})).toBe(0)
    expect(lines).toContain('6 codes that had left were taken off the shelf, 0 more that may have.')
    for (const id of lost) expect(lines.some((line) => line.startsWith(`lost order     ${id} `))).toBe(true)
    expect(lines.some((line) => line.includes(kept))).toBe(false)
    const today = lines.slice(
      lines.indexOf('What payment providers have of these days, compared with the database:') + 1,
    )
    expect(today.at(-1)).toMatch(/^\d{4}-\d\d-\d\d {2}sandbox: equal, the day is not over$/)

    // What was paid and came to nothing here is known to the provider alone.
    await again.database.run(sql`
      INSERT INTO sandbox_payment (key, order_id, amount, currency, description, return_url, status, paid_at, expires_at)
      VALUES (gen_random_uuid(), 'NOBODYS000', 1234, 'USD', '', '', 'succeeded', now(), now())`)
    lines.length = 0
    expect(await reconcileSalesCommand.run(terminal, '', { json: true })).toBe(1)
    expect(JSON.parse(lines.join('\n'))).toMatchObject({
      orders: lost.map((order_id) => ({ order_id })),
      payments: expect.arrayContaining([
        expect.objectContaining({
          state: 'different',
          differences: [expect.objectContaining({ kind: 'only_there', there: { amount: 12.34, currency: 'USD' } })],
        }),
      ]),
    })

    const span = await reconcileSales(again.database, { dir, key, margin: 2 })
    expect(span).toMatchObject({ taken: 0, margin: 2, sold_again: [], unreadable: 0 })
    expect(span.money).toHaveLength(3)
    // 30 less 2 sold before the backup, 6 that left, 2 of the margin.
    await buy(again, 20)
    const resold = await again.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
    expect(
      resold.status === 201
        ? (await again.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })).status
        : 409,
    ).toBe(409)
    expect((await sold(again.database)).filter((one) => left.includes(one))).toEqual([])
    expect((await checkInvariants(again.database)).filter(({ offenders }) => offenders > 0)).toEqual([])
    expect(errors).toEqual([])
  } finally {
    await again.close()
    await restored.stop()
  }
})

test('a delivery that a supplier was sent after the restored moment waits for the operator, and a code sold again is told', async () => {
  await buy(shop)
  const { fingerprint, code_id } = await shop.database.one<{ fingerprint: string; code_id: number }>(sql`
    SELECT encode(fingerprint, 'hex') AS fingerprint, code_id FROM code_sale JOIN code ON code.id = code_id LIMIT 1`)
  const { id, order_id } = await shop.database.one<{ id: number; order_id: string }>(sql`
    SELECT id, order_id FROM order_item LIMIT 1`)
  await shop.database.run(sql`INSERT INTO delivery (order_item_id, unit) VALUES (${id}, 1)`)
  const other = join(runs.folder, 'other')
  const at = new Date().toISOString()
  await planted(other, [
    { what: 'delivery', at, order_id, position: 1, unit: 1, supplier: 'sandbox', key: crypto.randomUUID() },
    { what: 'code', at, order_id: 'LOST000000', offer_id: offer.id, code_id, sale_number: 1, fingerprint },
  ])
  const span = await reconcileSales(shop.database, { dir: other, key, margin: 0 })
  expect(span).toMatchObject({
    deliveries: [{ became: 'with_operator' }],
    sold_again: [{ code_id }],
    orders: [{ order_id: 'LOST000000' }],
  })
  const { reason, is_operators } = await shop.database.one<{ reason: string | null; is_operators: boolean }>(sql`
    SELECT reason, operator_since IS NOT NULL AND next_at IS NULL AS is_operators FROM delivery WHERE order_item_id = ${id}`)
  expect([reason, is_operators]).toEqual(['restored', true])
})

describe('a code that its buyer has seen, of an order that is unpaid in the restored database', () => {
  let store: TestShop
  beforeAll(async () => {
    store = await startCardShop({ BACKUP_KEY: key.toString('hex') })
  })
  afterAll(async () => {
    await expectSound(store)
    await store.close()
  })

  /** Makes an unpaid order, and a log that says which of the order's reserved codes its buyer got after the restored moment. */
  async function payAndForget({ owner, order: placed }: { owner?: string; order?: CardOrder } = {}) {
    const order = placed ?? (await aCardOrder(store, { stock: 3 }))
    const code = await store.database.one<{ id: number; fingerprint: string }>(sql`
      SELECT id, encode(fingerprint, 'hex') AS fingerprint FROM code WHERE offer_id = ${order.offer.id} AND status = 'reserved'`)
    const folder = join(runs.folder, `seen-${order.orderId}`)
    const sale = { order_id: owner ?? order.orderId, offer_id: order.offer.id, code_id: code.id, sale_number: 1 }
    await planted(folder, [{ what: 'code', at: new Date(), ...sale, fingerprint: code.fingerprint }])
    return { order, code, folder }
  }
  const readStatus = async (id: number) =>
    (await store.database.one<{ status: string }>(sql`SELECT status FROM code WHERE id = ${id}`)).status
  const readOwners = (id: number) =>
    store.database.rows<{ order_id: string }>(sql`
      SELECT order_id FROM code_sale JOIN order_item ON order_item.id = order_item_id WHERE code_id = ${id}`)

  test('is not on the shelf again when the order expires', async () => {
    const { order, code, folder } = await payAndForget()
    const span = await reconcileSales(store.database, { dir: folder, key, margin: 0 })
    await passTime(store, order.orderId)
    await expireOverdueOrders(store.database)
    expect(await readStatus(code.id)).toBe('quarantined')
    expect(span).toMatchObject({ taken: 1, awaited: [{ order_id: order.orderId, code_id: code.id }] })
  })

  test.each([
    ['the order', undefined],
    ['an order that is lost', 'LOST000009'],
  ])(
    'and that %s got, is replaced by one that no margin takes, which the order gets when it is paid',
    async (_whose, owner) => {
      const { order, code, folder } = await payAndForget(owner === undefined ? {} : { owner })
      const span = await reconcileSales(store.database, { dir: folder, key, margin: 1 })
      expect(span).toMatchObject({ taken: 1, margin: 1, awaited: owner ? [] : [{ code_id: code.id }] })
      await expectSound(store)
      await act(store, order, 'pay')
      const { body } = await store.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
      expect(body.status).toBe('completed')
      expect([await readStatus(code.id), await readOwners(code.id)]).toEqual(['quarantined', []])
    },
  )

  test('is not replaced where the shelf is empty: the order expires, and its money is in the wallet if it comes', async () => {
    const { order, code, folder } = await payAndForget()
    await reconcileSales(store.database, { dir: folder, key, margin: 2 })
    await expectSound(store)
    await act(store, order, 'pay')
    const { body } = await store.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect(body.status).toBe('expired')
    expect(await readStatus(code.id)).toBe('quarantined')
  })

  /** Makes an unpaid order of two packages, with a coupon of a tenth and $4.00 of its $18.00 from the balance. */
  async function aMixedOrder(admin: TestUser) {
    const [first, second] = [
      await anOffer(store, { priceUsd: 1_000, stock: 3 }),
      await anOffer(store, { priceUsd: 1_000, stock: 3 }),
    ]
    const coupon = await aCoupon(store, admin)
    const owner = await aUser(store, { usd: 400 })
    await fillCart(store, owner, first)
    await fillCart(store, owner, second)
    const body = { amount: 18, currency: 'USD', type: 'order', coupon: coupon.code, from_balance: 4 }
    const pressed = await onFullShelf(store, first, () =>
      onFullShelf(store, second, () => store.call('POST', '/payment/create', { token: owner.token, body })),
    )
    expect([pressed.status, await readWallet(store, owner), await countUses(store, coupon)]).toEqual([201, 0, 1])
    const order: CardOrder = { buyer: owner, offer: first, amount: 1_400, ...(await openedBy(store, pressed)) }
    return { order, second, coupon }
  }
  const readStatuses = async (of: TestOffer) =>
    (
      await store.database.rows<{ status: string }>(
        sql`SELECT status FROM code WHERE offer_id = ${of.id} ORDER BY status`,
      )
    ).map(({ status }) => status)
  const readOrder = async ({ orderId, buyer: owner }: CardOrder) =>
    (await store.call('GET', `/orders/${orderId}`, { token: owner.token })).body

  test('is not replaced where the shelf is empty: the order gives back its part of the balance, its coupon and its other codes', async () => {
    const { order, second, coupon } = await aMixedOrder(await aUser(store, { role: 'admin' }))
    const { folder } = await payAndForget({ order })
    for (let times = 0; times < 2; times++) {
      await reconcileSales(store.database, { dir: folder, key, margin: times === 0 ? 2 : 0 })
      expect((await readOrder(order)).status).toBe('expired')
      expect([await readWallet(store, order.buyer), await countUses(store, coupon)]).toEqual([400, 0])
      expect(await readStatuses(order.offer)).toEqual(['quarantined', 'quarantined', 'quarantined'])
      expect(await readStatuses(second)).toEqual(['available', 'available', 'available'])
      await expectSound(store)
    }
  })

  test.each([
    ['is replaced too', 1, 'awaiting_payment', ['reserved']],
    ["can't be replaced, and the order expires", 0, 'expired', []],
  ])('is replaced, and what another line has of a recalled import %s', async (_what, others, status, replaced) => {
    const admin = await aUser(store, { role: 'admin' })
    const { order, second } = await aMixedOrder(admin)
    const { folder } = await payAndForget({ order })
    const { id } = await store.database.one<{ id: number }>(
      sql`SELECT min(batch_id) AS id FROM code WHERE offer_id = ${second.id}`,
    )
    const ask = (path: string, body: object) => store.call('POST', `/admin${path}`, { token: admin.token, body })
    expect((await ask(`/code-batches/${id}/recall`, { reason: 'a test' })).status).toBe(200)
    if (others > 0) {
      const rows = [{ line: 1, code: `OTHER-LINE-${second.id}`, gameAmount: second.gameAmount }]
      expect((await ask('/codes/bulk', { productId: second.productId, rows })).body.added).toBe(1)
    }
    await reconcileSales(store.database, { dir: folder, key, margin: 0 })
    expect((await readOrder(order)).status).toBe(status)
    expect(await readStatuses(second)).toEqual(['quarantined', 'quarantined', 'quarantined', ...replaced])
    await expectSound(store)
  })

  test('is left to a supplier where the shelf is empty and the order is bought on demand', async () => {
    const { order, code, folder } = await payAndForget()
    await store.database.run(sql`UPDATE order_item SET is_on_demand = true WHERE order_id = ${order.orderId}`)
    await reconcileSales(store.database, { dir: folder, key, margin: 2 })
    const { body } = await store.call('GET', `/orders/${order.orderId}`, { token: order.buyer.token })
    expect([body.status, await readStatus(code.id)]).toEqual(['awaiting_payment', 'quarantined'])
  })
})

describe('deliveries that a supplier was sent after the restored moment', () => {
  let vendor: G2bulkDouble
  let store: TestShop
  beforeAll(async () => {
    vendor = await startG2bulk()
    const settings = { SUPPLIERS: 'g2bulk', G2BULK_API_KEY: vendor.apiKey, G2BULK_BASE_URL: vendor.url }
    store = await startShop({ ...settings, BACKUP_KEY: key.toString('hex') })
  })
  afterAll(async () => {
    await store.close()
    await vendor.close()
  })

  /** Has an order sent to the supplier and written down, and takes the database back to the moment before. */
  async function sendAndForget(minutesAgo: number) {
    const order = await aTopupOrder(store, { offer: await aTopupOffer(store, 'pubgm/60 UC') })
    await workOff(store)
    const isOpen = sql`delivery_id IN (SELECT id FROM delivery WHERE decided_at IS NULL)`
    const sent = await store.database.one<{ id: number; key: string }>(sql`
      UPDATE supplier_order SET created_at = now() - make_interval(mins => ${minutesAgo}) WHERE ${isOpen}
      RETURNING id, key`)
    const folder = join(runs.folder, `sent-${order.orderId}`)
    await (await followSales(store.database, { dir: folder, key, log: log as never })).stop()
    await store.database.run(sql`DELETE FROM supplier_call WHERE supplier_order_id = ${sent.id}`)
    await store.database.run(sql`DELETE FROM supplier_order WHERE id = ${sent.id}`)
    await store.database.run(sql`
      UPDATE delivery SET state = 'queued', next_at = now(), held_until = NULL WHERE decided_at IS NULL`)
    return { order, key: sent.key, dir: folder }
  }

  test.each([
    ['while the supplier remembers its key', 1],
    ['when it has forgotten it', 60],
  ])('are looked up under their keys and not sent again, %s', async (_when, minutesAgo) => {
    const { order, key: sentKey, dir: folder } = await sendAndForget(minutesAgo)
    if (minutesAgo > 30) vendor.forgetKeys()
    vendor.set(sentKey, { status: 'COMPLETED' })
    const before = vendor.orders.length
    const span = await reconcileSales(store.database, { dir: folder, key, margin: 0 })
    expect(span.deliveries).toMatchObject([{ key: sentKey, became: 'looked_up', item: 'pubgm/60 UC' }])
    expect((await reconcileSales(store.database, { dir: folder, key, margin: 0 })).deliveries).toEqual([])
    await workOff(store)
    await passDeliveryTime(store, 600)
    await workOff(store)
    expect(await readTopupState(store, order)).toMatchObject({ order: 'completed', units: ['done'] })
    expect(vendor.orders).toHaveLength(before)
    expect((await checkInvariants(store.database)).filter(({ offenders }) => offenders > 0)).toEqual([])
  })

  test('whose orders are lost are told with what their supplier says, and asking buys nothing', async () => {
    const { key: sentKey } = await sendAndForget(1)
    vendor.set(sentKey, { status: 'COMPLETED' })
    const folder = join(runs.folder, 'lost-orders')
    const entry = { what: 'delivery', at: new Date(), position: 1, unit: 1, supplier: 'g2bulk', item: 'pubgm/60 UC' }
    const [told, unheard] = [
      { ...entry, order_id: 'LOST000001', key: sentKey },
      { ...entry, order_id: 'LOST000002', key: crypto.randomUUID() },
    ]
    await planted(folder, [told, unheard])
    const before = vendor.orders.length
    const lines: string[] = []
    const config = { ...store.config, salesLogDir: folder }
    const print = (line: string) => void lines.push(line)
    await reconcileSalesCommand.run(
      { config, database: store.database, url, print, progress: print, closers: [] },
      '',
      {},
    )
    const says = (id: string) => lines.find((line) => line.startsWith('lost delivery') && line.includes(id))
    expect(says('LOST000001')).toMatch(/\(its order is lost; g2bulk says: done\)$/)
    expect(says('LOST000002')).toMatch(/\(its order is lost; g2bulk says: unknown\)$/)
    expect(vendor.orders).toHaveLength(before)
  })
})

test('a changed line is counted, and a log of another key refused', async () => {
  const other = join(runs.folder, 'changed')
  const entries = [
    { what: 'money', at: new Date(), id: 1, kind: 'topup', currency: 'USD', amount: 5, order_id: null, user_id: 1 },
  ]
  await planted(other, entries, entries)
  const path = join(other, (await readdir(other))[0] as string)
  const [first, second] = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${first}\n${first}\n`)
  expect(await reconcileSales(shop.database, { dir: other, key, margin: 0 })).toMatchObject({
    unreadable: 1,
    money: [{ amount: 5 }],
  })
  expect(second).not.toBe('')
  await expect(reconcileSales(shop.database, { dir: other, key: randomBytes(32), margin: 0 })).rejects.toThrow(
    /^Nothing in SALES_LOG_DIR \S+ opens: it was written with another BACKUP_KEY\.$/,
  )
})

/** Writes lines as the follower would. */
async function planted(folder: string, ...lines: object[][]): Promise<void> {
  await mkdir(folder)
  const name = 'sales-2026-01-01-planted.log'
  const sealed = lines.map((line, n) =>
    encrypt(logKey(key), Buffer.from(JSON.stringify(line)), `${name}:${n}`).toString('base64'),
  )
  await writeFile(join(folder, name), `${sealed.join('\n')}\n`)
}

describe("a log that can't be read", () => {
  const makeLog = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'olmos-sales-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    return { dir: folder, mark: join(folder, 'mark.json') }
  }

  test('for want of rights is said to lack them, and never to be damaged', async () => {
    const own = await makeLog()
    await writeFile(own.mark, JSON.stringify({ until: new Date() }))
    await chmod(own.dir, 0)
    onTestFinished(() => chmod(own.dir, 0o700))
    const asNobody = 65_534
    const id = process.getuid?.() === 0 ? asNobody : process.getuid?.()
    if (id === asNobody) {
      process.seteuid?.(id)
      onTestFinished(() => process.seteuid?.(0))
    }
    const lacks = ` The user ${id} lacks the rights: the folder and what is in it must belong to it.`
    const denied = "can't be read: EACCES: permission denied"
    await expect(readLogEnd(own.dir)).rejects.toThrow(
      new StartupError(`The file ${own.mark} ${denied}, open '${own.mark}'.${lacks}`),
    )
    await expect(readSalesLog({ dir: own.dir, key })).rejects.toThrow(
      new StartupError(`SALES_LOG_DIR ${own.dir} ${denied}, scandir '${own.dir}'.${lacks}`),
    )
  })

  test('for another reason says which', async () => {
    const own = await makeLog()
    await mkdir(own.mark)
    await expect(readLogEnd(own.dir)).rejects.toThrow(
      new StartupError(`The file ${own.mark} can't be read: EISDIR: illegal operation on a directory, read.`),
    )
  })

  test.each(['', 'no JSON', '{}', '{"until":"yesterday"}'])('%j instead of its end is damage', async (text) => {
    const own = await makeLog()
    await writeFile(own.mark, text)
    await expect(readLogEnd(own.dir)).rejects.toThrow(new StartupError(`The file ${own.mark} is damaged; delete it.`))
  })
})

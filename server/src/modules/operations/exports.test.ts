import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { exportWords } from './export-texts.ts'

const shop = useShop({ TIMEZONE: 'Asia/Tashkent' })
const admin = useUser(shop, { role: 'admin' })

const start = async (body: object, language = 'en'): Promise<string> => {
  const headers = { 'accept-language': language }
  const answer = await shop.call('POST', '/admin/exports', { token: admin.token, body, headers })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.path.replace(/^\/api/, '')
}

const lines = async (body: object, language?: string): Promise<string[]> => {
  const answer = await shop.call('GET', await start(body, language))
  expect(answer.status, answer.text).toBe(200)
  return answer.text.split('\r\n').slice(0, -1)
}

async function anOrder(): Promise<{ id: string; nickname: string; codes: string[] }> {
  const offer = await anOffer(shop, { stock: 2, cost: { cost: '0.4', currency: 'USD' } })
  const buyer = await aUser(shop, { usd: 1_000 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, 2) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  const { id } = paid.body.order
  await shop.database.run(sql`UPDATE orders SET created_at = '2026-05-09T19:00:00.123456Z' WHERE id = ${id}`)
  return { id, nickname: buyer.nickname, codes: offer.codes }
}

test('orders are exported as they are filtered, with times of the shop and headings in the language asked in', async () => {
  const [wanted, other] = [await anOrder(), await anOrder()]
  const [heading, row, ...rest] = await lines({ what: 'orders', format: 'csv', filters: { nickname: wanted.nickname } })
  expect(heading).toContain('Order,Created (Asia/Tashkent),Buyer ID,Nickname,')
  expect(row).toMatch(
    new RegExp(
      `^${wanted.id},2026-05-10 00:00:00,\\d+,${wanted.nickname},Purchase,Completed,Balance,USD,2.00,0.00,,0.00,0.00,`,
    ),
  )
  expect(row).toMatch(/,"Product \d+ en, 100 coins × 2",$/)
  expect(rest).toEqual([])
  const all = await lines({ what: 'orders', format: 'csv' }, 'ru')
  expect(all[0]).toContain('\uFEFFЗаказ,Создан (Asia/Tashkent),')
  expect(all.filter((line) => line.includes(wanted.id) || line.includes(other.id))).toHaveLength(2)
})

test('times are those of the time zone that the owner chose', async () => {
  const { nickname } = await anOrder()
  const choose = async (time_zone: string | null) =>
    expect((await shop.call('PUT', '/admin/shop', { token: admin.token, body: { time_zone } })).status).toBe(200)
  await choose('Asia/Tokyo')
  const [heading, row] = await lines({ what: 'orders', format: 'csv', filters: { nickname } })
  await choose(null)
  expect(heading).toContain('Created (Asia/Tokyo)')
  expect(row).toContain(',2026-05-10 04:00:00,')
})

test('sales, customers, the ledger and the stock are exported, and no code is', async () => {
  const { id, nickname, codes } = await anOrder()
  const days = { from: '2026-05-10', to: '2026-05-10' }
  const sales = await lines({ what: 'sales', format: 'csv', days })
  expect(sales.find((line) => line.includes(id))).toMatch(
    /,100,coins,2,Delivered,USD,2.00,0.80,1.20,0.00,2,2,Balance,0.00,0.00$/,
  )
  expect(await lines({ what: 'sales', format: 'csv', days: { from: '2026-05-09', to: '2026-05-09' } })).toHaveLength(1)
  const customers = await lines({ what: 'customers', format: 'csv' })
  expect(customers.find((line) => line.includes(nickname))).toMatch(/,Buyer,,,8.00,0.00$/)
  const ledger = await lines({ what: 'ledger', format: 'csv' })
  expect(ledger.find((line) => line.includes(id))).toMatch(/,Purchase,Buyer’s balance,\d+,Sales,,USD,2.00,/)
  const stock = await lines({ what: 'stock', format: 'csv' })
  expect(stock.filter((line) => line.includes(id) && line.includes(',Sold,'))).toHaveLength(2)
  for (const code of codes) expect([sales, customers, ledger, stock].flat().join()).not.toContain(code)
})

test('states and kinds are in the language asked in', async () => {
  const { id, nickname } = await anOrder()
  const find = async (what: string, language: string, part = id) =>
    (
      await lines(
        { what, format: 'csv', ...(what === 'sales' && { days: { from: '2026-05-10', to: '2026-05-10' } }) },
        language,
      )
    )
      .filter((line) => line.includes(part))
      .join()
  expect(await find('orders', 'ru')).toContain(',Покупка,Выполнен,Баланс,USD,')
  expect(await find('orders', 'uz')).toContain(',Xarid,Bajarildi,Balans,USD,')
  expect(await find('sales', 'ru')).toMatch(/,Выполнен,.*,Доставлено,/)
  expect(await find('customers', 'uz', nickname)).toContain(',Xaridor,')
  expect(await find('ledger', 'ru')).toMatch(/,Покупка,Баланс покупателя,\d+,Продажи,,/)
  expect(await find('stock', 'uz')).toContain(',Sotilgan,')
})

test('every state and kind that the database knows has its word in each language', async () => {
  const inDatabase = async (table: string, column: string): Promise<string[]> => {
    const { rules } = await shop.database.one<{ rules: string }>(sql`
      SELECT string_agg(concat_ws(' ', pg_get_constraintdef(pg_constraint.oid), prosrc), ' ') AS rules FROM pg_constraint
      LEFT JOIN pg_depend ON classid = 'pg_constraint'::regclass AND objid = pg_constraint.oid
        AND refclassid = 'pg_proc'::regclass
      LEFT JOIN pg_proc ON pg_proc.oid = refobjid
      WHERE conrelid = ${table}::regclass AND contype = 'c'`)
    const [, values = ''] = new RegExp(`\\b${column} (?:IN \\(|= ANY \\(ARRAY\\[)([^)\\]]*)`).exec(rules) ?? []
    return [...values.matchAll(/'(\w+)'/g)].map(([, value]) => value as string)
  }
  for (const said of Object.values(exportWords)) {
    const pairs = [
      ['orders', 'purpose', said.purpose],
      ['orders', 'status', said.status],
      ['orders', 'payment_method', said.payment_method],
      ['order_item', 'status', said.item_status],
      ['users', 'role', said.role],
      ['transfer', 'kind', said.kind],
      ['account', 'kind', said.account],
      ['code', 'status', said.code_status],
    ] as const
    for (const [table, column, known] of pairs)
      expect([table, column, Object.keys(known).toSorted()]).toEqual([
        table,
        column,
        (await inDatabase(table, column)).toSorted(),
      ])
  }
})

test('what was exported, and by whom, is in the audit trail', async () => {
  await start({ what: 'orders', format: 'xlsx', filters: { currency: 'USD', search: 'lina' } })
  const entry = await shop.database.one(sql`
    SELECT actor_id, subject, after FROM audit_entry WHERE action = 'export.start' ORDER BY id DESC LIMIT 1`)
  expect(entry).toEqual({
    actor_id: admin.id,
    subject: 'export:orders',
    after: { format: 'xlsx', filters: { currency: 'USD', search: 'lina' } },
  })
})

test('an address answers once, and only while whoever asked for it is a logged-in admin', async () => {
  const wanted = { what: 'customers', format: 'csv' }
  const path = await start(wanted)
  const status = async (address: string) => (await shop.call('GET', address)).status
  expect([await status(path), await status(path)]).toEqual([200, 404])
  expect(await status('/exports/invented')).toBe(404)

  const late = await start(wanted)
  await shop.database.run(sql`UPDATE export_ticket SET expires_at = now()`)
  expect(await status(late)).toBe(404)

  const leaving = await aUser(shop, { role: 'admin' })
  const mine = async () => {
    const answer = await shop.call('POST', '/admin/exports', { token: leaving.token, body: wanted })
    return answer.body.data.path.replace(/^\/api/, '')
  }
  const demoted = await mine()
  await shop.database.run(sql`UPDATE users SET role = 'customer' WHERE id = ${leaving.id}`)
  expect(await status(demoted)).toBe(404)
  await shop.database.run(sql`UPDATE users SET role = 'admin' WHERE id = ${leaving.id}`)
  const loggedOut = await mine()
  await shop.call('POST', '/auth/logout', { token: leaving.token })
  expect(await status(loggedOut)).toBe(404)
})

test('a workbook is a zip archive that names itself', async () => {
  const answer = await shop.call('GET', await start({ what: 'stock', format: 'xlsx' }))
  expect(answer.text.slice(0, 2)).toBe('PK')
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="stock-\d{4}-\d\d-\d\d\.xlsx"$/)
})

const rows = 200_000
const heapMax = 48 * 1024 * 1024

test.each(['csv', 'xlsx'])(
  'two hundred thousand orders leave the store as %s, none twice, and the heap stays small',
  { timeout: 240_000 },
  async (format) => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const heap = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const many = await shop.database.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM orders WHERE total = 12345`,
    )
    if (many.count === 0) {
      await shop.database.transaction(
        (tx) =>
          tx.run(sql`
          INSERT INTO orders (id, user_id, currency, total, status, payment_method, created_at)
          SELECT 'Z' || lpad(n::text, 9, '0'), ${admin.id}, 'RUB', 12345, 'completed', 'balance',
            '2020-01-01'::timestamptz + (n / 7) * interval '1 microsecond'
          FROM generate_series(1, ${rows}::int) AS n`),
        { statementMs: 60_000 },
      )
    }
    if (!shop.app.server.listening) await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = shop.app.server.address() as AddressInfo
    const path = await start({ what: 'orders', format, filters: { amount_from: '123.45', amount_to: '123.45' } })
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { headers: { 'accept-encoding': 'identity' } })
    const before = heap()
    const reader = answer.body?.getReader()
    let most = 0
    let pieces = 0
    let found = 0
    let rest = ''
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      if (pieces++ % 200 === 0) most = Math.max(most, heap() - before)
      if (format === 'csv') {
        const text = rest + Buffer.from(piece.value).toString('latin1')
        const at = text.lastIndexOf('\n') + 1
        found += (text.slice(0, at).match(/^Z\d{9},/gm) ?? []).length
        rest = text.slice(at)
      }
    }
    expect(pieces).toBeGreaterThan(20)
    expect(most).toBeLessThan(heapMax)
    if (format === 'csv') expect(found).toBe(rows)
  },
)

test('two are downloaded at once, whoever asks for three in one moment, and the third has its turn at its address', async () => {
  const wanted = { what: 'orders', format: 'csv', filters: { search: 'nobody' } }
  const paths = [await start(wanted), await start(wanted), await start(wanted)] as const
  const { all } = await shop.database.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE orders`)
    const all = paths.map(async (path) => ({ path, ...(await shop.call('GET', path)) }))
    expect((await Promise.race(all)).body.error.code).toBe('OVERLOADED')
    await untilWaiting(shop.database, 2)
    return { all }
  })
  const answers = await Promise.all(all)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503])
  const third = answers.find(({ status }) => status === 503)
  expect((await shop.call('GET', third?.path ?? '')).status).toBe(200)
})

test('a download that is broken off ends its snapshot and makes room for the next', async () => {
  const { port } = shop.app.server.address() as AddressInfo
  for (let round = 0; round < 4; round++) {
    const ending = new AbortController()
    const path = await start({ what: 'orders', format: 'csv' })
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, { signal: ending.signal })
    expect(answer.status).toBe(200)
    ending.abort()
    const snapshots = sql`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid()`
    await expect.poll(async () => shop.database.one(snapshots), { timeout: 20_000 }).toEqual({ count: 0 })
  }
})

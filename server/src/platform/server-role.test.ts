import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../test/factories.ts'
import { startShop, type TestShop } from '../../test/shop.ts'
import { migrate } from './database/migrate.ts'
import { raw } from './database/queries.ts'

/** A store whose statements run as a role that owns nothing, as with the embedded database. */
let shop: TestShop
let ownerUrl: string
const role = `server_${randomBytes(6).toString('hex')}`
beforeAll(async () => {
  shop = await startShop(
    {},
    {
      reach: async (url) => {
        ownerUrl = url
        await asOwner(`CREATE ROLE ${role} LOGIN PASSWORD 'serves'`)
        await migrate(url, { servedBy: role })
        const served = new URL(url)
        served.username = role
        served.password = 'serves'
        return served.href
      },
    },
  )
})
afterAll(async () => {
  await asOwner(`DROP OWNED BY ${role}`)
  await shop.close()
})

async function asOwner(statement: string) {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

test('it sells and refunds', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const [buyer, admin] = [await aUser(shop, { usd: 10_000 }), await aUser(shop, { role: 'admin' })]
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const paid = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  expect(paid.status).toBe(201)
  const refund = { reason: 'as asked', to: 'wallet' }
  const refunded = await shop.call('POST', `/admin/orders/${paid.body.order.id}/refund`, {
    token: admin.token,
    body: refund,
  })
  expect(refunded.status).toBe(200)
})

test.each([
  ['switch a trigger off', 'ALTER TABLE transfer DISABLE TRIGGER ALL'],
  ['pretend to be a replica, for which triggers rest', "SET session_replication_role = 'replica'"],
  ['empty a table', 'TRUNCATE audit_entry CASCADE'],
  ['drop a table', 'DROP TABLE audit_entry CASCADE'],
  ['run a program', "COPY audit_entry TO PROGRAM 'cat'"],
  ['read a file', "SELECT pg_read_file('postgresql.conf')"],
  ['become somebody', 'CREATE ROLE somebody SUPERUSER'],
  ['forget a migration', 'DELETE FROM schema_migration'],
])('it cannot %s', async (_what, statement) => {
  await expect(shop.database.run(raw(statement))).rejects.toThrow(/permission denied|must be|only roles with/i)
})

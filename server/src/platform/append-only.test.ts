import { beforeAll, describe, expect, test } from 'vitest'
import { toSnapshot } from '../../test/snapshot.ts'
import { useShop } from '../../test/use-shop.ts'
import { aWorld } from '../../test/world.ts'
import { type Sql, sql } from './database/queries.ts'

const shop = useShop()
beforeAll(async () => {
  const { orderId, offer, owner, admin, unspent } = await aWorld(shop)
  await shop.call('GET', `/orders/${orderId}`, { token: owner.token })
  await shop.call('POST', '/freefire/activate-code', {
    token: owner.token,
    body: { playerID: '5123456789', code: unspent() },
  })
  await shop.call('PUT', `/admin/offers/${offer.id}`, { token: admin.token, body: { priceUsd: 2 } })
  await shop.call('POST', '/admin/ledger/proof', { token: admin.token, body: {} })
})

const appendOnly: [string, Sql, Sql, Sql][] = [
  ['transfer', sql`UPDATE transfer SET amount = amount + 1`, sql`DELETE FROM transfer`, sql`TRUNCATE transfer`],
  ['code_sale', sql`UPDATE code_sale SET position = 99`, sql`DELETE FROM code_sale`, sql`TRUNCATE code_sale CASCADE`],
  ['code_reveal', sql`UPDATE code_reveal SET place = 'admin'`, sql`DELETE FROM code_reveal`, sql`TRUNCATE code_reveal`],
  [
    'code_activation',
    sql`UPDATE code_activation SET activation_number = 9`,
    sql`DELETE FROM code_activation`,
    sql`TRUNCATE code_activation`,
  ],
  [
    'offer_price',
    sql`UPDATE offer_price SET price_usd = 1`,
    sql`DELETE FROM offer_price`,
    sql`TRUNCATE offer_price CASCADE`,
  ],
  [
    'price_rule_version',
    sql`UPDATE price_rule_version SET margin_percent = 1`,
    sql`DELETE FROM price_rule_version`,
    sql`TRUNCATE price_rule_version`,
  ],
  ['audit_seal', sql`UPDATE audit_seal SET entry_id = 0`, sql`DELETE FROM audit_seal`, sql`TRUNCATE audit_seal`],
  ['audit_entry', sql`UPDATE audit_entry SET action = 'none'`, sql`DELETE FROM audit_entry`, sql`TRUNCATE audit_entry`],
]

describe.each(appendOnly)('%s', (table, ...statements) => {
  test('may only be added to', async () => {
    const before = await toSnapshot(shop.database)
    expect(before[table]).not.toMatch(/^0 /)
    for (const statement of statements) {
      await expect(shop.database.run(statement)).rejects.toMatchObject({
        code: '23000',
        message: `${table} is append-only`,
      })
    }
    expect(await toSnapshot(shop.database)).toEqual(before)
  })
})

test('a row is not changed by way of another table either', async () => {
  const before = await toSnapshot(shop.database)
  const ways = [
    sql`DELETE FROM orders`,
    sql`DELETE FROM order_item`,
    sql`DELETE FROM code WHERE status = 'used'`,
    sql`DELETE FROM offer`,
    sql`DELETE FROM account`,
    sql`DELETE FROM users`,
    sql`UPDATE code SET id = id + 1000000 WHERE status = 'used'`,
    sql`TRUNCATE users CASCADE`,
    sql`INSERT INTO transfer (id, kind, currency, amount, debit_account, credit_account)
      OVERRIDING SYSTEM VALUE SELECT id, 'topup', currency, 1, debit_account, credit_account FROM transfer
      ON CONFLICT (id) DO UPDATE SET amount = 1`,
  ]
  for (const way of ways) await expect(shop.database.run(way)).rejects.toThrow()
  expect(await toSnapshot(shop.database)).toEqual(before)
})

import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { startShop, type TestShop } from '../../../test/shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { Vault } from '../../platform/security/vault.ts'
import { proveInvariants } from '../operations/operations.routes.ts'
import { checkInvariants } from '../proof/ledger-proof.ts'
import { checkSeals } from './audit.ts'

let shop: TestShop
let admin: TestUser
beforeEach(async () => {
  shop = await startShop()
  admin = await aUser(shop, { role: 'admin' })
})
afterEach(() => shop.close())

/** Writes what admins do in an hour, and the proof at its end. */
async function anHour(entries = 3): Promise<void> {
  for (let entry = 0; entry < entries; entry++) {
    const subject = `user:${entry}`
    await shop.database.transaction((tx) =>
      writeAudit(tx, { actorId: admin.id, action: 'user.balance', subject, after: { USD: 100 } }),
    )
  }
  await proveInvariants(shop)
}

/** Bypasses the triggers that protect the trail, as only a superuser of the database can. */
const tamper = (change: string) =>
  shop.database.pool.query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${change}; COMMIT`)

/** Recomputes the hash of every entry, from the first on. */
const rehash = `DO $$ DECLARE entry audit_entry; previous bytea := ''; BEGIN
  FOR entry IN SELECT * FROM audit_entry ORDER BY id LOOP
    previous := audit_hash(previous, entry);
    UPDATE audit_entry SET hash = previous WHERE id = entry.id;
  END LOOP; END $$`

const seals = () =>
  shop.database.rows<{ id: number; entry_id: number }>(sql`SELECT id, entry_id FROM audit_seal ORDER BY id`)
const found = async (vault = shop.vault) => (await checkSeals(shop.database, vault)).result
const chainIsWhole = async () =>
  (await checkInvariants(shop.database)).every(({ name, offenders }) => name !== 'audit-chain' || offenders === 0)
const openAlerts = () =>
  shop.database.rows(
    sql`SELECT kind, subject FROM alert WHERE resolved_at IS NULL AND subject LIKE 'audit-%' ORDER BY 2`,
  )

describe('a sound trail', () => {
  test('is sealed once an hour as far as it goes, and not again while nothing is added', async () => {
    await anHour()
    await anHour()
    await anHour(0)
    expect(await seals()).toEqual([
      { id: 1, entry_id: 3 },
      { id: 2, entry_id: 6 },
    ])
    expect(await found()).toMatchObject({ number: 30, name: 'audit-seals', offenders: 0, sample: [] })
    expect(await openAlerts()).toEqual([])
  })

  test('is sealed once by 20 proofs at the same moment', async () => {
    await anHour(1)
    await shop.database.transaction((tx) =>
      writeAudit(tx, { actorId: admin.id, action: 'user.role', subject: 'user:1' }),
    )
    await Promise.all(Array.from({ length: 20 }, () => proveInvariants(shop)))
    expect(await seals()).toEqual([
      { id: 1, entry_id: 1 },
      { id: 2, entry_id: 2 },
    ])
    expect((await found()).offenders).toBe(0)
  })
})

describe('a superuser of the database', () => {
  beforeEach(async () => {
    await anHour()
    await anHour()
  })

  test.each([
    [
      'rewrites an entry and every hash after it',
      `UPDATE audit_entry SET after = '{"USD": 1}' WHERE id = 2; ${rehash}`,
    ],
    ['takes the last entries away', 'DELETE FROM audit_entry WHERE id > 4'],
    ['takes all of it away', 'DELETE FROM audit_entry'],
  ])('who %s is found, though the chain is whole', async (_what, change) => {
    await tamper(change)
    expect(await chainIsWhole()).toBe(true)
    expect((await found()).offenders).toBeGreaterThan(0)

    await proveInvariants(shop)
    expect(await openAlerts()).toEqual([{ kind: 'invariant', subject: 'audit-seals' }])
    const proof = (await shop.call('GET', '/admin/ledger/proof', { token: admin.token })).body
    expect(proof.is_sound).toBe(false)
    expect(proof.invariants.find(({ number }: { number: number }) => number === 30)).toMatchObject({
      name: 'audit-seals',
      sample: expect.arrayContaining([expect.stringMatching(/^seal \d of/)]),
    })
  })

  test.each([
    [
      'lets the seals name the new hashes',
      `${rehash}; UPDATE audit_seal SET entry_hash = hash FROM audit_entry WHERE audit_entry.id = entry_id`,
    ],
    ['takes a seal in the middle away', 'DELETE FROM audit_seal WHERE id = 1'],
    [
      'lets a seal stand for an earlier entry',
      'UPDATE audit_seal SET entry_id = 5, entry_hash = (SELECT hash FROM audit_entry WHERE id = 5) WHERE id = 2',
    ],
    ['makes a seal up', `INSERT INTO audit_seal SELECT 3, id, hash, sha256(hash) FROM audit_entry WHERE id = 6`],
  ])('who %s is found', async (_what, change) => {
    await tamper(`UPDATE audit_entry SET after = '{"USD": 1}' WHERE id = 2; ${change}`)
    expect((await found()).offenders).toBeGreaterThan(0)
  })

  test('has nothing sealed of what was changed, nor of what comes after it', async () => {
    await tamper(`UPDATE audit_entry SET after = '{"USD": 1}' WHERE id = 2; ${rehash}`)
    await anHour()
    expect(await seals()).toHaveLength(2)
    await tamper(`UPDATE audit_entry SET after = '{"USD": 100}' WHERE id = 2; ${rehash}`)
    await anHour()
    expect(await seals()).toHaveLength(3)
    expect(await openAlerts()).toEqual([])
  })
})

test('seals of another SECRET_KEY are none; a new data key changes nothing', async () => {
  await anHour()
  await shop.vault.startRotation()
  expect((await found()).offenders).toBe(0)
  const other = await startShop({}, {})
  try {
    expect((await found(other.vault)).offenders).toBe(1)
    await expect(Vault.open(shop.database, randomBytes(32))).rejects.toThrow('SECRET_KEY')
  } finally {
    await other.close()
  }
})

test('a trail that was sealed is sound under the next SECRET_KEY, and sealed on', async () => {
  await anHour()
  const next = randomBytes(32)
  await Vault.changeSecretKey(shop.database, shop.config.secretKey as Buffer, next)
  const vault = await Vault.open(shop.database, next)
  expect((await found(vault)).offenders).toBe(0)
  await shop.database.transaction((tx) => writeAudit(tx, { actorId: admin.id, action: 'user.role', subject: 'user:1' }))
  await proveInvariants({ ...shop, vault })
  expect(await seals()).toHaveLength(2)
  expect((await found(vault)).offenders).toBe(0)
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { tablesWith } from '../../../test/snapshot.ts'
import { Database } from '../database/database.ts'
import { sql } from '../database/queries.ts'
import { StartupError } from '../process.ts'
import { type Sealed, Vault } from './vault.ts'

let own: TestDatabase
let database: Database
let vault: Vault
const secretKey = randomBytes(32)
beforeAll(async () => {
  own = await cloneDatabase()
  database = new Database({ url: own.url, connections: 12, onIdleError: () => {} })
  vault = await Vault.open(database, secretKey)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const seal = (plain: string, boundTo: string): Promise<Sealed> =>
  database.transaction(async (tx) => (await vault.sealer(tx))(plain, boundTo))

test.each(['ABCD-1234', '', 'Код с пробелом', '🦊\n\u0000', 'x'.repeat(10_000)])(
  'opens again what it sealed: %#',
  async (plain) => {
    const sealed = await seal(plain, 'code:1')
    expect(sealed.ciphertext.includes(Buffer.from(plain || 'nothing'))).toBe(false)
    expect(await vault.unseal(sealed, 'code:1')).toBe(plain)
  },
)

test('seals the same text differently every time, and marks it the same', async () => {
  const [one, two] = await Promise.all([seal('ABCD', 'code:1'), seal('ABCD', 'code:1')])
  expect(one.ciphertext.equals(two.ciphertext)).toBe(false)
  expect(vault.fingerprint('ABCD')).toEqual(vault.fingerprint('ABCD'))
  expect(vault.fingerprint('ABCD')).not.toEqual(vault.fingerprint('abcd'))
  expect(vault.fingerprint('ABCD')).toHaveLength(32)
})

test('opens nothing that is bound to another row', async () => {
  const sealed = await seal('ABCD', 'code:1')
  for (const row of ['code:2', 'code:11', 'code:1 ', '']) await expect(vault.unseal(sealed, row)).rejects.toThrow()
})

test('opens nothing of which one bit was altered, cut off or added', async () => {
  const { keyId, ciphertext } = await seal('ABCD', 'code:1')
  for (let index = 0; index < ciphertext.length; index++) {
    const altered = Buffer.from(ciphertext)
    altered.writeUInt8(altered.readUInt8(index) ^ 0x10, index)
    await expect(vault.unseal({ keyId, ciphertext: altered }, 'code:1')).rejects.toThrow()
  }
  for (const cut of [ciphertext.subarray(1), ciphertext.subarray(0, -1), ciphertext.subarray(0, 20), Buffer.alloc(0)]) {
    await expect(vault.unseal({ keyId, ciphertext: cut }, 'code:1')).rejects.toThrow()
  }
  const longer = Buffer.concat([ciphertext, Buffer.from([0])])
  await expect(vault.unseal({ keyId, ciphertext: longer }, 'code:1')).rejects.toThrow()
})

test('opens nothing with a key it does not have', async () => {
  const { ciphertext } = await seal('ABCD', 'code:1')
  await expect(vault.unseal({ keyId: 9_999, ciphertext }, 'code:1')).rejects.toThrow('no key 9999')
})

test('a second node with the same SECRET_KEY opens it, one with another does not start', async () => {
  const sealed = await seal('ABCD', 'code:1')
  const other = await Vault.open(database, secretKey)
  expect(await other.unseal(sealed, 'code:1')).toBe('ABCD')
  expect(other.fingerprint('ABCD')).toEqual(vault.fingerprint('ABCD'))
  await expect(Vault.open(database, randomBytes(32))).rejects.toThrow(StartupError)
})

test('its keys rest wrapped, and never as the SECRET_KEY', async () => {
  const keys = await database.rows<{ wrapped: Buffer }>(sql`SELECT wrapped FROM vault_key`)
  expect(keys).toHaveLength(2)
  for (const { wrapped } of keys) expect(wrapped).toHaveLength(12 + 16 + 32)
  expect(await tablesWith(database, secretKey.toString('base64'))).toEqual([])
  expect(await tablesWith(database, secretKey.toString('hex'))).toEqual([])
})

test('ten nodes that start at once on an empty database share one pair of keys', async () => {
  const fresh = await cloneDatabase()
  const shared = new Database({ url: fresh.url, connections: 10, onIdleError: () => {} })
  const vaults = await Promise.all(Array.from({ length: 10 }, () => Vault.open(shared, secretKey)))
  const marks = vaults.map((node) => node.fingerprint('ABCD').toString('hex'))
  expect(new Set(marks).size).toBe(1)
  expect(await shared.rows(sql`SELECT FROM vault_key`)).toHaveLength(2)
  await shared.close()
  await fresh.drop()
})

test('the secret key is changed in one go: cut off at any moment the old one opens everything, afterwards only the new one', async () => {
  const other = await cloneDatabase()
  const store = new Database({ url: other.url, connections: 4, onIdleError: () => {} })
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
  const before = await Vault.open(store, oldKey)
  const sealed = await store.transaction(async (tx) => (await before.sealer(tx))('ABCD', 'code:1'))
  const fingerprint = before.fingerprint('ABCD')
  await before.startRotation()

  // The connection is cut after the first key, as a kill would.
  await store.run(sql`
    CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`)
  await store.run(sql`
    CREATE TRIGGER cut_off AFTER UPDATE ON vault_key FOR EACH ROW WHEN (NEW.id > 1) EXECUTE FUNCTION cut_off()`)
  await expect(Vault.changeSecretKey(store, oldKey, newKey)).rejects.toThrow()
  expect(await (await Vault.open(store, oldKey)).unseal(sealed, 'code:1')).toBe('ABCD')
  await expect(Vault.open(store, newKey)).rejects.toThrow(StartupError)

  await store.run(sql`DROP TRIGGER cut_off ON vault_key`)
  await expect(Vault.changeSecretKey(store, randomBytes(32), newKey)).rejects.toThrow(StartupError)
  expect(await Vault.changeSecretKey(store, oldKey, newKey)).toBe(3)
  expect(await Vault.changeSecretKey(store, oldKey, newKey)).toBe(0)
  const after = await Vault.open(store, newKey)
  expect(await after.unseal(sealed, 'code:1')).toBe('ABCD')
  expect(after.fingerprint('ABCD')).toEqual(fingerprint)
  await expect(Vault.open(store, oldKey)).rejects.toThrow(StartupError)
  await store.close()
  await other.drop()
})

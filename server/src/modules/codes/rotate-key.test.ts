import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { anOffer, aUser, type TestOffer, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { Vault } from '../../platform/security/vault.ts'
import { codeRow } from './codes.store.ts'
import { importCodes } from './import-codes.ts'
import { type RotationReport, rotateKey } from './rotate-key.ts'

const shop = useShop()
let otherNode: Vault
beforeAll(async () => {
  otherNode = await Vault.open(shop.database, shop.config.secretKey as Buffer)
})

const silent: RotationReport = { started: () => {}, progressed: () => {} }

const encryptionKeys = async () =>
  (
    await shop.database.rows<{ id: number }>(sql`SELECT id FROM vault_key WHERE purpose = 'encryption' ORDER BY id`)
  ).map((key) => key.id)

const importOne = (vault: Vault, offer: TestOffer, code: string) =>
  shop.database.transaction((tx) =>
    importCodes(tx, vault, {
      productId: offer.productId,
      regionId: null,
      lines: [`${code},1.00,80.00,${offer.gameAmount}`],
      dryRun: false,
      adminId: null,
      mayPrice: true,
    }),
  )

async function buyOne(buyer: TestUser, offer: TestOffer): Promise<string> {
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return body.order.id
}

const readCode = async (buyer: TestUser, orderId: string): Promise<string> =>
  (await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })).body.items[0].code

test('16 buyers buy and read receipts while another node rotates the key', { timeout: 60_000 }, async () => {
  const offer = await anOffer(shop, { stock: 1_500 })
  const buyers = await Promise.all(Array.from({ length: 16 }, () => aUser(shop, { usd: 100_000 })))
  const early = await Promise.all(buyers.map((buyer) => buyOne(buyer, offer)))
  const codesBefore = await Promise.all(buyers.map((buyer, index) => readCode(buyer, early[index] as string)))
  const [oldKey] = await encryptionKeys()

  let isRotating = true
  const bought: string[] = []
  const shopping = buyers.map(async (buyer, index) => {
    do {
      bought.push(await readCode(buyer, await buyOne(buyer, offer)))
      expect(await readCode(buyer, early[index] as string)).toBe(codesBefore[index])
    } while (isRotating)
  })
  const resealed = await rotateKey(shop.database, otherNode, silent)
  isRotating = false
  await Promise.all(shopping)

  expect(resealed).toBe(1_500)
  expect(bought.length).toBeGreaterThan(16)
  expect(new Set([...bought, ...codesBefore]).size).toBe(bought.length + 16)
  expect([...bought, ...codesBefore].every((code) => offer.codes.includes(code))).toBe(true)
  const keys = await encryptionKeys()
  expect(keys).toHaveLength(1)
  expect(keys[0]).toBeGreaterThan(oldKey as number)
})

test('a node that has not heard of a rotation imports with the new key', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  await rotateKey(shop.database, otherNode, silent)
  await importOne(shop.vault, offer, 'AFTER-ROTATION')
  const { key } = await shop.database.one<{ key: number }>(sql`
    SELECT key_id AS key FROM code WHERE offer_id = ${offer.id} ORDER BY id DESC LIMIT 1`)
  expect(await encryptionKeys()).toEqual([key])
})

test('an import under way keeps its key until it ends, and its codes are sealed again', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const [oldKey] = await encryptionKeys()
  const pause = Promise.withResolvers<void>()
  const sealed = Promise.withResolvers<void>()
  const importing = shop.database.transaction(async (tx) => {
    const seal = await shop.vault.sealer(tx)
    sealed.resolve()
    await pause.promise
    await tx.run(sql`
      INSERT INTO code (id, offer_id, batch_id, key_id, ciphertext, fingerprint)
      SELECT 900000, offer_id, batch_id, ${oldKey}, ${seal('LATE', codeRow(900_000)).ciphertext}, ${randomBytes(32)}
      FROM code WHERE offer_id = ${offer.id} LIMIT 1`)
  })
  await sealed.promise
  const rotation = rotateKey(shop.database, otherNode, silent)
  setTimeout(pause.resolve, 300)
  await Promise.all([importing, rotation])

  const late = await shop.database.one<{ keyId: number; ciphertext: Buffer }>(
    sql`SELECT key_id AS "keyId", ciphertext FROM code WHERE id = 900000`,
  )
  expect(await encryptionKeys()).toEqual([late.keyId])
  expect(late.keyId).not.toBe(oldKey)
  expect(await shop.vault.unseal(late, codeRow(900_000))).toBe('LATE')
})

test('a code that is edited under its old key meanwhile stays as it was edited', async () => {
  const offer = await anOffer(shop, { stock: 1 })
  const isEdited = Promise.withResolvers<number>()
  const mayCommit = Promise.withResolvers<void>()
  const editing = shop.database.transaction(async (tx) => {
    const seal = await shop.vault.sealer(tx)
    const { id } = await tx.one<{ id: number }>(sql`SELECT id FROM code WHERE offer_id = ${offer.id} FOR UPDATE`)
    const { ciphertext } = seal('EDITED', codeRow(id))
    await tx.run(sql`UPDATE code SET ciphertext = ${ciphertext} WHERE id = ${id}`)
    isEdited.resolve(id)
    await mayCommit.promise
  })
  const id = await isEdited.promise
  const rotation = rotateKey(shop.database, otherNode, silent)
  // The rotation has read the code as it was, and waits for who edits it.
  await untilWaiting(shop.database, 1, 'UPDATE code SET key_id')
  mayCommit.resolve()
  await Promise.all([editing, rotation])

  const code = await shop.database.one<{ keyId: number; ciphertext: Buffer }>(
    sql`SELECT key_id AS "keyId", ciphertext FROM code WHERE id = ${id}`,
  )
  expect(await encryptionKeys()).toEqual([code.keyId])
  expect(await shop.vault.unseal(code, codeRow(id))).toBe('EDITED')
})

test('a rotation that was cut short is gone on with under the same key', async () => {
  await anOffer(shop, { stock: 250 })
  const cut = new Error('cut short')
  const stopAtOnce: RotationReport = {
    started: () => {},
    progressed: () => {
      throw cut
    },
  }
  await expect(rotateKey(shop.database, otherNode, stopAtOnce)).rejects.toBe(cut)
  const halfway = await encryptionKeys()
  expect(halfway).toHaveLength(2)

  const started: Parameters<RotationReport['started']>[0][] = []
  await rotateKey(shop.database, otherNode, { ...silent, started: (rotation) => void started.push(rotation) })
  expect(started).toMatchObject([{ keyId: halfway[1], isResumed: true }])
  expect(await encryptionKeys()).toEqual([halfway[1]])
})

test('a ciphertext that was put into another row is refused, and the rotation names it', async () => {
  const offer = await anOffer(shop, { stock: 2 })
  const buyer = await aUser(shop, { usd: 1_000 })
  const orderId = await buyOne(buyer, offer)
  const [sold, other] = await shop.database.rows<{ id: number }>(
    sql`SELECT id FROM code WHERE offer_id = ${offer.id} ORDER BY status DESC`,
  )
  const swap = () =>
    shop.database.run(sql`
      UPDATE code SET ciphertext = twin.ciphertext FROM code AS twin
      WHERE (code.id, twin.id) IN ((${sold?.id}::bigint, ${other?.id}::bigint), (${other?.id}::bigint, ${sold?.id}::bigint))`)
  await swap()
  const answer = await shop.call('GET', `/orders/${orderId}`, { token: buyer.token })
  expect(answer.status).toBe(500)
  expect(offer.codes.filter((code) => answer.text.includes(code))).toEqual([])
  await expect(rotateKey(shop.database, otherNode, silent)).rejects.toThrow(/^The code \d+ was altered/)

  await swap()
  expect(offer.codes).toContain(await readCode(buyer, orderId))
})

test('the keys do not open with another SECRET_KEY', async () => {
  await expect(Vault.open(shop.database, randomBytes(32))).rejects.toThrow(/^SECRET_KEY does not open the codes/)
})

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../database/queries.ts'
import { writeAudit, writeAuditChange } from './audit.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

interface Entry {
  id: number
  hash: Buffer
  content: string
}

const entries = () =>
  shop.database.rows<Entry>(sql`
    SELECT id, hash, jsonb_build_array(id, actor_id, action, subject, before, after, extract(epoch FROM created_at))::text
      AS content FROM audit_entry ORDER BY id`)

/** Finds the ids of entries that do not hash their predecessor, computed here and not by the database. */
function broken(chain: Entry[]): number[] {
  let previous: Buffer = Buffer.alloc(0)
  const wrong: number[] = []
  for (const { id, hash, content } of chain) {
    if (!createHash('sha256').update(previous).update(content).digest().equals(hash)) wrong.push(id)
    previous = hash
  }
  return wrong
}

const oddField: string = 'ёж'
const note = (subject: string) =>
  shop.database.transaction((tx) =>
    writeAudit(tx, { actorId: admin.id, action: 'order.status', subject, after: { [oddField]: '🦊"\n' } }),
  )

test('30 changes at once make one chain without a gap', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => note(`thing:${index}`)))
  const chain = await entries()
  expect(chain.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  expect(broken(chain)).toEqual([])
})

test('what is rolled back leaves no gap', async () => {
  const undone = shop.database.transaction(async (tx) => {
    await writeAudit(tx, { actorId: admin.id, action: 'order.refund', subject: 'thing:1' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await note('thing:later')
  const chain = await entries()
  expect(chain.map(({ id }) => id)).toEqual(chain.map((_, index) => index + 1))
  expect(broken(chain)).toEqual([])
})

test('whoever writes an entry chooses neither its number, its time nor its hash', async () => {
  await shop.database.run(sql`
    INSERT INTO audit_entry (id, action, subject, created_at, hash)
    VALUES (1000, 'test.forged', 'thing:1', 'epoch', 'forged')`)
  const { id, isNew } = await shop.database.one<{ id: number; isNew: boolean }>(sql`
    SELECT id, created_at > now() - interval '1 minute' AS "isNew" FROM audit_entry WHERE action = 'test.forged'`)
  const chain = await entries()
  expect([id, isNew, broken(chain)]).toEqual([chain.length, true, []])
})

test('an entry that was altered or taken out by a superuser shows', async () => {
  await note('thing:last')
  const count = (await entries()).length
  await shop.database.run(sql`ALTER TABLE audit_entry DISABLE TRIGGER USER`)
  await shop.database.run(sql`UPDATE audit_entry SET subject = 'thing:other' WHERE id = 7`)
  await shop.database.run(sql`DELETE FROM audit_entry WHERE id = 12`)
  await shop.database.run(sql`ALTER TABLE audit_entry ENABLE TRIGGER USER`)
  const chain = await entries()
  expect(chain).toHaveLength(count - 1)
  expect(broken(chain)).toEqual([7, 13])
})

test('a change notes only the fields that differ, and one that changes nothing is none', async () => {
  const entry = { actorId: admin.id, action: 'product.update', subject: 'thing:change' } as const
  await shop.database.transaction(async (tx) => {
    await writeAuditChange(tx, entry, { amount: 1, ids: [1], version: 1 }, { amount: 1, ids: [1], version: 2 })
    await writeAuditChange(
      tx,
      entry,
      { amount: 1, ids: [1], note: 'x', version: 1 },
      { amount: 2, ids: [1], note: null, version: 2 },
    )
  })
  const noted = await shop.database.rows(sql`SELECT before, after FROM audit_entry WHERE subject = 'thing:change'`)
  expect(noted).toEqual([{ before: { amount: 1, note: 'x' }, after: { amount: 2, note: null } }])
})

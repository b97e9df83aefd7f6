import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { Sender } from './batch.ts'

let own: TestDatabase
let client: pg.Client
let sender: Sender
/** The messages that were sent since the test began, by their first letters: P parses, B binds, D describes, E executes, S syncs. */
let messages: string[]
beforeAll(async () => {
  own = await cloneDatabase()
  client = new pg.Client({ connectionString: own.url })
  await client.connect()
  await client.query('CREATE TABLE box (id int PRIMARY KEY, parent int REFERENCES box DEFERRABLE INITIALLY DEFERRED)')
  const { stream } = (client as unknown as { connection: { stream: { write(packet: Buffer): void } } }).connection
  const write = stream.write.bind(stream)
  stream.write = (packet) => {
    for (let at = 0; at < packet.length; at += 1 + packet.readInt32BE(at + 1))
      messages.push(packet.toString('latin1', at, at + 1))
    write(packet)
  }
})
beforeEach(() => {
  messages = []
  sender = new Sender(client, { types: new pg.TypeOverrides(), timeoutMs: 5_000 })
})
afterAll(async () => {
  await client.end()
  await own.drop()
})

const send = (text: string, values: unknown[] = [], name: string | undefined = text) =>
  sender.send({ name, text, values })

test('statements of one turn travel together, and PostgreSQL is asked to answer once', async () => {
  const results = await Promise.all([send('SELECT $1::int AS one', [1]), send('SELECT $1::int AS two', [2])])
  expect(results.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ two: 2 }]])
  expect(messages.join('')).toBe('PBDEPBDES')
})

test('what a connection has prepared is neither parsed nor described again', async () => {
  const ask = () => send("SELECT $1::int AS id, 'x' AS text, NULL AS nothing", [7])
  expect((await ask()).rows).toEqual([{ id: 7, text: 'x', nothing: null }])
  messages = []
  expect((await ask()).rows).toEqual([{ id: 7, text: 'x', nothing: null }])
  expect(messages.join('')).toBe('BES')
})

test('the same statement twice in one turn is prepared once', async () => {
  const results = await Promise.all([1, 2].map((id) => send('SELECT $1::int AS twice', [id])))
  expect(results.map(({ rows }) => rows)).toEqual([[{ twice: 1 }], [{ twice: 2 }]])
  expect(messages.filter((message) => message === 'P')).toHaveLength(1)
})

test('a statement without a name is parsed each time and leaves nothing behind', async () => {
  for (const id of [1, 2]) {
    expect((await sender.send({ name: undefined, text: 'SELECT $1::int AS id', values: [id] })).rows).toEqual([{ id }])
  }
  expect(messages.join('')).toBe('PBDESPBDES')
})

test('counts what was written, and says what was done', async () => {
  expect(await send('INSERT INTO box (id) VALUES (1), (2)')).toMatchObject({ rowCount: 2, command: 'INSERT', rows: [] })
  expect(await send('DELETE FROM box')).toMatchObject({ rowCount: 2, command: 'DELETE' })
})

test('when one fails, all of the turn fail with its error, and nothing of them stays', async () => {
  const results = await Promise.allSettled([
    send('INSERT INTO box (id) VALUES (10)'),
    send('SELECT 1 / $1::int', [0]),
    send('INSERT INTO box (id) VALUES (11)'),
  ])
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect((await send('SELECT FROM box')).rowCount).toBe(0)
})

test('a check that is made at the end of the transaction fails the statement', async () => {
  await expect(send('INSERT INTO box VALUES (20, 21)')).rejects.toMatchObject({ code: '23503' })
  expect((await send('SELECT FROM box')).rowCount).toBe(0)
})

test('a statement that failed runs when it is sent again: it is known whether it was prepared', async () => {
  const divide = (by: number) => send('SELECT 6 / $1::int AS result', [by])
  await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  expect((await divide(2)).rows).toEqual([{ result: 3 }])
  for (const _ of [1, 2]) await expect(send('SELECT FROM nowhere')).rejects.toMatchObject({ code: '42P01' })
})

test('what is sent while a batch is under way follows it, in order', async () => {
  const order: number[] = []
  const first = send('SELECT pg_sleep(0.01)').then(() => order.push(1))
  await new Promise((resolve) => setImmediate(resolve))
  const later = [2, 3].map((at) => send('SELECT $1::int', [at]).then(() => order.push(at)))
  await Promise.all([first, ...later])
  expect(order).toEqual([1, 2, 3])
})

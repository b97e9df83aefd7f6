import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { Database } from './database.ts'
import { createListener, Notifier } from './notify.ts'
import { sql } from './queries.ts'

let own: TestDatabase
let database: Database
let listener: ReturnType<typeof createListener>
const heard: string[] = []
beforeAll(async () => {
  own = await cloneDatabase()
  database = new Database({ url: own.url, connections: 8, onIdleError: () => {} })
  await database.run(sql`CREATE TABLE box (id int PRIMARY KEY)`)
  const connected = Promise.withResolvers<void>()
  const order = (subject?: string) => (subject === undefined ? connected.resolve() : heard.push(subject))
  listener = createListener(own.url, { order }, pino({ level: 'silent' }))
  await connected.promise
})
afterAll(async () => {
  await listener.stop()
  await database.close()
  await own.drop()
})

/** Resolves once whatever was sent before it has been heard. */
async function untilHeard(subject: string): Promise<string[]> {
  await expect.poll(() => heard).toContain(subject)
  return heard.splice(0)
}

test('a transaction notifies once it is committed, and one that is undone does not', async () => {
  const undo = new Error('undone')
  const undone = database.transaction(async (tx) => {
    tx.notify('order', 'undone')
    throw undo
  })
  await expect(undone).rejects.toBe(undo)
  await database.transaction(async (tx) => {
    tx.notify('order', 'committed')
    await tx.run(sql`INSERT INTO box VALUES (1)`)
    await sleep(50)
    expect(heard).toEqual([])
  })
  expect(await untilHeard('committed')).toEqual(['committed'])
})

test('the node that made a change has heard of it before the change is answered, if it was made', async () => {
  const changes: (string | undefined)[] = []
  database.onOwnNotification({ catalogue: (subject) => changes.push(subject) })
  const change = (subject: string, end: () => void) =>
    database.transaction(async (tx) => {
      tx.notify('catalogue', subject)
      expect(changes).not.toContain(subject)
      end()
    })
  await change('product:7', () => {})
  expect(changes).toEqual(['product:7'])
  const undone = change('product:8', () => {
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(changes).toEqual(['product:7'])
  database.onOwnNotification({})
})

test('a transaction that is run again notifies once', async () => {
  let runs = 0
  await database.transaction(async (tx) => {
    tx.notify('order', `run ${++runs}`)
    if (runs === 1) await tx.run(sql`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`)
  })
  expect(await untilHeard('run 2')).toEqual(['run 2'])
})

test('the first is sent at once, what comes meanwhile together, and equal notifications once', async () => {
  const sent: string[][] = []
  const notifier = new Notifier(
    async (batch) => {
      sent.push(batch.map(({ subject }) => subject))
    },
    () => {},
  )
  for (let n = 0; n < 200; n++) notifier.add([{ channel: 'order', subject: `order ${n % 10}` }])
  expect(sent).toEqual([['order 0']])
  await notifier.close()
  expect(sent).toEqual([['order 0'], Array.from({ length: 10 }, (_, n) => `order ${(n + 1) % 10}`)])
})

test('what could not be sent is sent again', async () => {
  const sent: string[][] = []
  let failures = 1
  const notifier = new Notifier(
    async (batch) => {
      if (failures-- > 0) throw new Error('no connection')
      sent.push(batch.map(({ subject }) => subject))
    },
    () => {},
  )
  notifier.add([{ channel: 'order', subject: 'first' }])
  notifier.add([{ channel: 'order', subject: 'second' }])
  await expect.poll(() => sent, { timeout: 3_000 }).toEqual([['first', 'second']])
  await notifier.close()
})

test('a database that is closed sends what is left', async () => {
  const closing = new Database({ url: own.url, connections: 2, onIdleError: () => {} })
  for (const subject of ['sent at once', 'sent at the end'])
    await closing.transaction(async (tx) => tx.notify('order', subject))
  await closing.close()
  expect(await untilHeard('sent at the end')).toEqual(['sent at once', 'sent at the end'])
})

test('nothing in the database itself notifies, which would be inside a transaction', async () => {
  expect(
    await database.rows(sql`
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~* 'notify'`),
  ).toEqual([])
})

const run = promisify(execFile)

test('whoever dies between the commit and the notification has committed', async () => {
  const script = `
    import { Database } from ${JSON.stringify(new URL('./database.ts', import.meta.url).href)}
    import { sql } from ${JSON.stringify(new URL('./queries.ts', import.meta.url).href)}
    const database = new Database({ url: process.env.URL, connections: 1, onIdleError: () => {} })
    await database.transaction(async (tx) => {
      tx.notify('order', 'never heard')
      await tx.run(sql\`INSERT INTO box VALUES (3)\`)
      Map.prototype.set = new Proxy(Map.prototype.set, { apply(target, map, given) {
        if (given[0] === 'order never heard') process.kill(process.pid, 'SIGKILL')
        return Reflect.apply(target, map, given)
      } })
    })`
  const dying = run(process.execPath, ['--input-type=module', '-e', script], { env: { URL: own.url } })
  await expect(dying).rejects.toMatchObject({ signal: 'SIGKILL' })
  expect(await database.maybe(sql`SELECT FROM box WHERE id = 3`)).toBeDefined()
  await database.transaction(async (tx) => tx.notify('order', 'the next one'))
  expect(await untilHeard('the next one')).toEqual(['the next one'])
})

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts'
import { type Link, openLink } from '../../../test/link.ts'
import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { createListener } from './notify.ts'
import { PrimaryClient, splitHosts } from './primary-client.ts'
import { sql } from './queries.ts'

let own: TestDatabase
let primary: Link
let silent: Link
let replica: Server
let deadHost: string
beforeAll(async () => {
  own = await cloneDatabase()
  primary = await openLink(own.url)
  silent = await openLink(own.url)
  silent.freeze()
  replica = await openReplica()
  deadHost = await findDeadHost()
})
afterAll(async () => {
  await Promise.all([primary.cut(), silent.cut()])
  replica.close()
  await own.drop()
})

const toHost = (link: Link) => new URL(link.url).host
const replicaHost = () => `127.0.0.1:${(replica.address() as AddressInfo).port}`

/** The address of the test's database, at these hosts. */
function at(...hosts: string[]): string {
  const { username, password, pathname } = new URL(own.url)
  return `postgresql://${username}:${password}@${hosts.join(',')}${pathname}?target_session_attrs=read-write`
}

/** A message of the protocol: its kind, its length and what it holds. */
function message(kind: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

/** Lets everybody in, and answers whatever it is asked that it takes no writes. */
async function openReplica(): Promise<Server> {
  const ready = message('Z', 'I')
  const welcome = Buffer.concat([message('R', [0, 0, 0, 0]), message('S', 'in_hot_standby\0on\0'), ready])
  // After the name: table and column, none; type 25, text, of any length; as text.
  const rest = Buffer.from('00000000000000000019ffff000000000000', 'hex')
  const column = message('T', [0, 1], 'transaction_read_only', [0, ...rest])
  const readOnly = Buffer.concat([column, message('D', [0, 1, 0, 0, 0, 2], 'on'), message('C', 'SHOW', [0]), ready])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(welcome)
      socket.on('data', (bytes) => bytes.toString('latin1').startsWith('Q') && socket.write(readOnly))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** A port that nobody listens on. */
async function findDeadHost(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}

test.each([
  ['postgresql://u:p@h1/db', ['postgresql://u:p@h1/db']],
  ['postgresql://u:p,@[::1]:5433/db?ssl=1', ['postgresql://u:p,@[::1]:5433/db?ssl=1']],
  [
    'postgresql://u:p@h1:5433,[::1],h3/db?target_session_attrs=read-write&sslmode=require',
    ['h1:5433', '[::1]', 'h3'].map((host) => `postgresql://u:p@${host}/db?sslmode=require`),
  ],
  ['postgres://h1,h2/db?target_session_attrs=read-write', ['postgres://h1/db', 'postgres://h2/db']],
  ['postgresql://u@/db?host=%2Ftmp%2Fx', ['postgresql://u@/db?host=%2Ftmp%2Fx']],
])('%s names %j', (url, expected) => {
  expect(splitHosts(url)).toEqual(expected)
})

test('of a dead, a silent, a read-only and a live host the live one is taken at once, wherever it stands', async () => {
  for (const hosts of [
    [deadHost, toHost(silent), replicaHost(), toHost(primary)],
    [toHost(primary), replicaHost(), toHost(silent), deadHost],
  ]) {
    const began = performance.now()
    const database = new Database({ url: at(...hosts), connections: 4, onIdleError: () => {} })
    await database.prove()
    await Promise.all([1, 2, 3].map(() => database.transaction((tx) => tx.run(sql`CREATE TEMP TABLE box ()`))))
    expect(performance.now() - began).toBeLessThan(2_900)
    await database.close()
  }
})

test('a standby is refused where it is the only one that is named, as behind a proxy that has not noticed', async () => {
  const url = at(replicaHost()).split('?')[0] as string
  await expect(new PrimaryClient({ connectionString: url }).connect()).rejects.toMatchObject({ code: '25006' })
  const client = new PrimaryClient({ connectionString: own.url })
  await client.connect()
  await client.end()
})

test('migrations and the listener take it too', async () => {
  const url = at(deadHost, replicaHost(), toHost(primary))
  expect(await migrate(url)).toEqual([])
  const connected = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<string>()
  const order = (subject?: string) => (subject === undefined ? connected.resolve() : heard.resolve(subject))
  const listener = createListener(url, { order }, pino({ level: 'silent' }))
  await connected.promise
  const database = new Database({ url, connections: 1, onIdleError: () => {} })
  await database.run(sql`SELECT pg_notify('order', 'seven')`)
  expect(await heard.promise).toBe('seven')
  await listener.stop()
  await database.close()
})

test('while no host takes writes it is 503, and says which one takes none where all answer', async () => {
  const database = new Database({ url: at(deadHost, replicaHost()), connections: 1, onIdleError: () => {} })
  await expect(database.run(sql`SELECT 1`)).rejects.toMatchObject({
    code: 'OVERLOADED',
    cause: { code: 'ECONNREFUSED' },
  })
  await database.close()
  const unheard = new Database({ url: at(toHost(silent), replicaHost()), connections: 1, onIdleError: () => {} })
  await expect(unheard.run(sql`SELECT 1`)).rejects.toMatchObject({ code: 'OVERLOADED' })
  await unheard.close()
  const client = new PrimaryClient({ connectionString: at(replicaHost(), replicaHost()) })
  await expect(client.connect()).rejects.toMatchObject({ code: '25006', message: `${replicaHost()} takes no writes` })
})

test('a listener leaves a host that vanished within ten seconds, and listens at the next one', {
  timeout: 60_000,
}, async () => {
  const [first, second] = [await openLink(own.url), await openLink(own.url)]
  second.freeze()
  const rounds: (string | undefined)[] = []
  const order = (subject?: string) => rounds.push(subject)
  const listener = createListener(at(toHost(first), toHost(second)), { order }, pino({ level: 'silent' }))
  await expect.poll(() => listener.isListening(), { timeout: 10_000 }).toBe(true)
  const began = performance.now()
  first.freeze()
  second.thaw()
  await expect.poll(() => listener.isListening(), { timeout: 20_000 }).toBe(false)
  expect(performance.now() - began).toBeLessThan(10_000)
  await expect.poll(() => listener.isListening(), { timeout: 20_000 }).toBe(true)
  expect(rounds).toEqual([undefined, undefined])
  await listener.stop()
  await Promise.all([first.cut(), second.cut()])
})

test('a write to what is a replica now is 503, and its connection is left for the primary', async () => {
  const database = new Database({ url: own.url, connections: 1, onIdleError: () => {} })
  await database.run(sql`SET default_transaction_read_only = on`)
  const write = () => database.transaction((tx) => tx.run(sql`CREATE TABLE late ()`))
  await expect(write()).rejects.toMatchObject({ code: 'OVERLOADED', status: 503, cause: { code: '25006' } })
  await write()
  await database.close()
})

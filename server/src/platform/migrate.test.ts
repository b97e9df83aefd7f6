import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'
import { StartupError } from './startup-error.ts'

const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter((name) => name.endsWith('.sql'))

/** Runs the work on a database of its own and throws it away. */
async function on(own: Promise<TestDatabase>, work: (url: string, client: pg.Client) => Promise<void>): Promise<void> {
  const { url, drop } = await own
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(url, client)
  } finally {
    await client.end()
    await drop()
  }
}

const appliedIn = async (client: pg.Client) =>
  (await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')).rows.map(({ name }) => name)

test('four nodes that start at once on an empty database bring it to the schema, once', () =>
  on(emptyDatabase(), async (url, client) => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
    expect(await appliedIn(client)).toEqual(files)
    expect((await client.query('SELECT FROM account')).rowCount).toBe(6)
    await migrate(url)
    expect(await appliedIn(client)).toEqual(files)
  }))

test('a database of a newer build is refused, and left as it is', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query("INSERT INTO schema_migration (name, digest) VALUES ('999-future.sql', 'x')")
    await expect(migrate(url)).rejects.toThrow(StartupError)
    await expect(migrate(url)).rejects.toThrow(
      'The database is of a newer Olmos (it has the migration 999-future.sql); install that one.',
    )
    expect(await appliedIn(client)).toEqual([...files, '999-future.sql'])
  }))

test('a migration that was edited since is refused by name', () =>
  on(cloneDatabase(), async (url, client) => {
    await client.query("UPDATE schema_migration SET digest = 'other' WHERE name = '001-accounts.sql'")
    await expect(migrate(url)).rejects.toThrow('The migration 001-accounts.sql was edited after it was applied.')
  }))

test('a migration that fails leaves nothing of itself, and the next start goes on', () =>
  on(cloneDatabase(), async (url, client) => {
    const last = files.at(-1) as string
    await client.query('DELETE FROM schema_migration WHERE name = $1', [last])
    await expect(migrate(url)).rejects.toThrow(/already exists/)
    expect(await appliedIn(client)).toEqual(files.slice(0, -1))
  }))

test('a database that does not answer is one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  const { port } = await new Promise<AddressInfo>((listening) =>
    server.on('listening', () => listening(server.address() as AddressInfo)),
  )
  await new Promise((closed) => server.close(closed))
  const failure = migrate(`postgresql://nobody:secret-word@127.0.0.1:${port}/olmos`)
  await expect(failure).rejects.toThrow(/^The database does not answer \(DATABASE_URL\): .*ECONNREFUSED.*\.$/)
  await expect(failure).rejects.not.toThrow(/secret-word/)
})

test.each(['14.18 (Debian 14.18-1)', '9.6.24', '10devel'])(
  'PostgreSQL %s is too old, and is told so',
  async (version) => {
    const server = serverOfVersion(version)
    const { port } = await new Promise<AddressInfo>((listening) =>
      server.on('listening', () => listening(server.address() as AddressInfo)),
    )
    try {
      const failure = migrate(`postgresql://olmos@127.0.0.1:${port}/olmos`)
      await expect(failure).rejects.toThrow(`The database is PostgreSQL ${version}; Olmos needs 15 or newer.`)
      await expect(failure).rejects.toThrow(StartupError)
    } finally {
      await new Promise((closed) => server.close(closed))
    }
  },
)

/** Speaks as much of PostgreSQL's protocol as it takes to be asked for one's version. */
function serverOfVersion(version: string) {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value])
  const ready = message('Z', Buffer.from('I'))
  const value = Buffer.from(version)
  const column = Buffer.concat([Buffer.from('server_version\0'), Buffer.alloc(18)])
  const answer = [
    message('T', Buffer.from([0, 1]), column),
    message('D', Buffer.from([0, 1]), int32(value.length), value),
    message('C', Buffer.from('SHOW\0')),
    ready,
  ]
  return createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]))
      socket.on('data', (sent) => {
        if (sent[0] === 'Q'.charCodeAt(0)) socket.write(Buffer.concat(answer))
        else socket.end()
      })
    })
  }).listen(0, '127.0.0.1')
}

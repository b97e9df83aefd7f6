import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { StartupError, toSentence } from '../process.ts'
import { reachDatabase } from './database-server.ts'

/** Makes a role and a database for it; the server's settings skip what only a power cut needs. */
async function aRole(options = '') {
  const own = await cloneDatabase()
  const name = `role_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: own.url })
  await admin.connect()
  await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'role-secret' ${options}`)
  onTestFinished(async () => {
    await admin.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)
    await admin.end()
    await own.drop()
  })
  const url = new URL(own.url)
  url.username = name
  url.password = 'role-secret'
  return { name, url: url.href, admin }
}

test('a database that may forget what it committed is refused by the names of its settings, whoever runs it', async () => {
  const url = inject('adminUrl')
  await expect(reachDatabase({ url })).rejects.toThrow(
    new StartupError(
      'The database may forget paid orders in a power cut: fsync, full_page_writes, synchronous_commit must be on.',
    ),
  )
  expect(await reachDatabase({ url, allowUnsafe: true })).toEqual({ directUrl: url, isPooled: false })
})

test('a role that is read-only is refused in a sentence', async () => {
  const { name, url, admin } = await aRole()
  await admin.query(`ALTER ROLE ${name} SET default_transaction_read_only = on`)
  await expect(reachDatabase({ url, allowUnsafe: true })).rejects.toThrow(
    /^The database is read-only: DATABASE_URL must/,
  )
})

test('a role whose connections are used up is told so', async () => {
  const { url } = await aRole('CONNECTION LIMIT 0')
  await expect(reachDatabase({ url, allowUnsafe: true })).rejects.toThrow(
    /^The database does not answer \(DATABASE_URL\): too many connections for role "role_.*"\.$/,
  )
})

test.each([
  ['42501', 'The database role lacks rights: it must own the database'],
  ['25006', 'The database is read-only'],
  ['53300', 'The database has no connections left for this process'],
])(
  'whatever raises %s at the start is told without a stack, in a sentence and in the words of PostgreSQL',
  (code, sentence) => {
    const error = Object.assign(new Error('must be owner of table orders'), { code })
    for (const thrown of [error, Object.assign(new Error('wrapped'), { cause: error })]) {
      expect(toSentence(thrown)).toContain(sentence)
      expect(toSentence(thrown)).toMatch(/\. PostgreSQL said: must be owner of table orders\.$/)
    }
  },
)

test.each(['14.18 (Debian 14.18-1)', '9.6.24', '10devel'])(
  'PostgreSQL %s is too old, and is told so',
  async (version) => {
    const server = startVersion(version)
    const { port } = await new Promise<AddressInfo>((listening) =>
      server.on('listening', () => listening(server.address() as AddressInfo)),
    )
    try {
      const failure = reachDatabase({ url: `postgresql://olmos@127.0.0.1:${port}/olmos` })
      await expect(failure).rejects.toThrow(`The database is PostgreSQL ${version}; Olmos needs 15 or newer.`)
      await expect(failure).rejects.toThrow(StartupError)
    } finally {
      await new Promise((closed) => server.close(closed))
    }
  },
)

/** Speaks just enough of PostgreSQL's protocol to be asked for its version. */
function startVersion(version: string) {
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

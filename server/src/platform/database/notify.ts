import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { sql, type Tx } from './database.ts'

/** What nodes tell each other of: a product changed, there is something to deliver, an order moved, a session ended. */
type Channel = 'catalogue' | 'delivery' | 'order' | 'session'

/**
 * Tells every node, once the transaction is committed, that something on the channel changed, such as ('catalogue',
 * 'product:7').
 */
export async function announce(tx: Tx, channel: Channel, subject: string): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${channel}, ${subject})`)
}

interface Listener {
  stop(): Promise<void>
}

const retryMs = 1_000

/**
 * Calls a handler with what any node notifies on its channel, and without a subject after each (re)connection, because
 * notifications may have been missed.
 */
export function createListener(
  databaseUrl: string,
  handlers: Readonly<Partial<Record<Channel, (subject?: string) => void>>>,
  log: FastifyBaseLogger,
): Listener {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false

  const listen = async (connection: pg.Client) => {
    await connection.connect()
    for (const channel of Object.keys(handlers)) await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    for (const handle of Object.values(handlers)) handle()
  }

  const connect = () => {
    const connection = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
    client = connection
    let isLost = false
    const lose = (error?: unknown) => {
      if (isLost || isStopped) return
      isLost = true
      log.warn({ err: error }, 'notifications: no connection, trying again')
      connection.end().catch(() => {})
      retry = setTimeout(connect, retryMs)
    }
    connection.on('error', lose)
    connection.on('end', () => lose())
    connection.on('notification', ({ channel, payload }) => handlers[channel as Channel]?.(payload))
    listen(connection).catch(lose)
  }

  connect()
  return {
    async stop() {
      isStopped = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import pg from 'pg'
import { StartupError } from '../closing.ts'
import { sql, type Tx } from './database.ts'

/**
 * Tells every node, once the transaction is committed, that something on the channel changed, such as ('catalogue',
 * 'product:7').
 */
export async function announce(tx: Tx, channel: string, subject: string): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${channel}, ${subject})`)
}

const reasons: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `Port ${port} is taken; end what uses it or set another PORT.`,
  EACCES: (port) => `Port ${port} may not be used by this user; set a PORT above 1023.`,
  EADDRNOTAVAIL: (_port, host) => `This machine has no address ${host}; set another HOST.`,
  ENOTFOUND: (_port, host) => `This machine has no address ${host}; set another HOST.`,
}

/** Starts to accept requests. A fault the operator can fix is thrown as a StartupError. */
export async function listen(app: FastifyInstance, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new StartupError(reason(port, host))
  }
}

export interface Listener {
  stop(): Promise<void>
}

const retryMs = 1_000

/**
 * Calls a handler with what any node notifies on its channel, and without a subject after each (re)connection, because
 * notifications may have been missed.
 */
export function createListener(
  databaseUrl: string,
  handlers: Readonly<Record<string, (told?: string) => void>>,
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
    connection.on('notification', ({ channel, payload }) => handlers[channel]?.(payload))
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

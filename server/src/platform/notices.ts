import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'

export interface Notices {
  stop(): Promise<void>
}

const retryMs = 1_000

/**
 * Calls a handler with what any node tells its channel (NOTIFY), and with nothing once there is a connection, or is one
 * again: something may have been told meanwhile.
 */
export function listenForNotices(
  databaseUrl: string,
  handlers: Readonly<Record<string, (told?: string) => void>>,
  log: FastifyBaseLogger,
): Notices {
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
      log.warn({ err: error }, 'notices: no connection, trying again')
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

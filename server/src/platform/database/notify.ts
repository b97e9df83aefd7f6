import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { PrimaryClient } from './primary-client.ts'

/**
 * What nodes notify each other of: a product changed, there is something to deliver, an order moved, a way to pay changed, a
 * session ended, a supplier was set up or switched, somebody wrote in a conversation.
 */
export type Channel = 'catalogue' | 'conversation' | 'delivery' | 'order' | 'payment' | 'session' | 'supplier'

/** That something on the channel changed, such as ('catalogue', 'product:7'). */
export interface Notification {
  channel: Channel
  subject: string
}

/** What to do about a notification; without a subject when some may have been missed. */
export type Handlers = Readonly<Partial<Record<Channel, (subject?: string) => void>>>

const pauseMs = 10
const retryMs = 1_000
const waitingAtMost = 10_000
// A host that is gone without a word would be listened to for hours.
const proveEveryMs = 3_000
const silenceMs = 5_000

/**
 * Sends what committed transactions notify: at once, or together with what else comes while it sends and a moment after.
 * Equal ones are sent once. What is left when the process dies is lost, so whatever listens also looks by itself.
 */
export class Notifier {
  readonly #send: (batch: readonly Notification[]) => Promise<void>
  readonly #onError: (error: Error) => void
  #waiting = new Map<string, Notification>()
  #sending: Promise<void> | undefined
  #isClosing = false

  constructor(send: (batch: readonly Notification[]) => Promise<void>, onError: (error: Error) => void) {
    this.#send = send
    this.#onError = onError
  }

  add(notifications: Iterable<Notification>): void {
    for (const each of notifications) this.#waiting.set(`${each.channel} ${each.subject}`, each)
    if (this.#waiting.size > 0) this.#sending ??= this.#sendAll()
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#waiting
      this.#waiting = new Map()
      try {
        await this.#send([...batch.values()])
        if (!this.#isClosing) await sleep(pauseMs)
      } catch (error) {
        this.#onError(error as Error)
        if (this.#isClosing) break
        if (batch.size < waitingAtMost) this.#waiting = new Map([...batch, ...this.#waiting])
        await sleep(retryMs)
      }
    }
    this.#sending = undefined
  }

  /** Sends what is left, and gives up what can't be sent. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#sending
  }
}

interface Listener {
  /** Whether it hears at present what is notified; false while it has no connection. */
  isListening(): boolean
  stop(): Promise<void>
}

/**
 * Calls a handler with what any node notifies on its channel, and without a subject after each (re)connection, because
 * notifications may have been missed.
 */
export function createListener(databaseUrl: string, handlers: Handlers, log: FastifyBaseLogger): Listener {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isStopped = false
  let isListening = false

  const listen = async (connection: pg.Client) => {
    await connection.connect()
    for (const channel of Object.keys(handlers)) await connection.query(`LISTEN ${pg.escapeIdentifier(channel)}`)
    for (const handle of Object.values(handlers)) handle()
  }

  const connect = () => {
    const connection = new PrimaryClient({
      connectionString: databaseUrl,
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
    })
    client = connection
    let isLost = false
    let proving: NodeJS.Timeout | undefined
    const lose = (error?: unknown) => {
      if (isLost || isStopped) return
      isLost = true
      isListening = false
      clearInterval(proving)
      log.warn({ err: error }, 'notifications: no connection, trying again')
      connection.end().catch(() => {})
      retry = setTimeout(connect, retryMs)
    }
    connection.on('error', lose)
    connection.on('end', () => lose())
    connection.on('notification', ({ channel, payload }) => handlers[channel as Channel]?.(payload))
    listen(connection).then(() => {
      isListening = !isLost && !isStopped
      if (isListening) proving = setInterval(() => void connection.query('SELECT').catch(lose), proveEveryMs)
    }, lose)
  }

  connect()
  return {
    isListening: () => isListening,
    async stop() {
      isStopped = true
      isListening = false
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

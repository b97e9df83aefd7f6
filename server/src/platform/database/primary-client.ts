import pg from 'pg'

const withHosts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/is
const sessionAttributes = /([?&])target_session_attrs=([^&]*)(?:&|$)/
const askWithinMs = 3_000
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

/** SQLSTATE of a write where none is allowed: on a replica, or a primary that became one. */
const readOnly = '25006'

/**
 * Splits the address of a database that names several hosts, as libpq reads it
 * (`postgresql://user:password@h1:5432,h2:5432/db?target_session_attrs=read-write`), into one address a host.
 */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = withHosts.exec(url) ?? [url, '', url]
  const rest = after.replace(sessionAttributes, (whole, start: string) => (whole.endsWith('&') ? start : ''))
  return hosts.split(',').map((host) => `${before}${host}${rest}`)
}

/** Reads which kind of session an address asks for; undefined where it does not say. */
export const sessionWanted = (url: string): string | undefined => sessionAttributes.exec(url)?.[2]

/** What PostgreSQL 14 and newer tell whoever connects. */
interface ParameterStatus {
  parameterName: string
  parameterValue: string
}

/**
 * pg's client, which connects to the host that takes writes where its `connectionString` names several. All are asked at
 * once, so one that is gone without a word keeps nobody waiting. While none takes writes it rejects with what one of them
 * said, or with SQLSTATE 25006. It rejects a standby with that also where one host is named: a proxy takes some seconds to
 * notice that the primary behind it became one, and what can be read there may be lost a moment later.
 */
export class PrimaryClient extends pg.Client {
  readonly #urls: readonly string[]

  constructor(config: pg.ClientConfig) {
    const urls = splitHosts(config.connectionString ?? '')
    super({ ...config, connectionString: urls[0] })
    this.#urls = urls
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const connected = this.#urls.length > 1 ? this.#connectToPrimary() : this.#connectToOne()
    if (!callback) return connected
    connected.then(
      (client) => (callback as (error: null, client: pg.Client) => void)(null, client),
      callback as (error: Error) => void,
    )
    return undefined
  }

  async #connectToPrimary(): Promise<pg.Client> {
    const { host, port } = await findPrimary(this.#urls)
    Object.assign(this, { host, port })
    return this.#connectToOne()
  }

  async #connectToOne(): Promise<pg.Client> {
    let isStandby = false
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on'
    })
    const client = await super.connect()
    if (!isStandby) return client
    this.end().catch(() => {})
    throw refuseStandby(this)
  }
}

const refuseStandby = ({ host, port }: pg.Client): Error =>
  Object.assign(new Error(`${host}:${port} takes no writes`), { code: readOnly })

async function findPrimary(urls: readonly string[]): Promise<{ host: string; port: number }> {
  try {
    return await Promise.any(urls.map(askForWrites))
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error]
    throw reasons.find((reason) => reason?.code !== readOnly) ?? reasons[0]
  }
}

async function askForWrites(url: string): Promise<{ host: string; port: number }> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: askWithinMs,
    query_timeout: askWithinMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
    const { host, port } = client
    if (rows[0]?.transaction_read_only === 'off') return { host, port }
    throw refuseStandby(client)
  } finally {
    // A host that is gone never says goodbye.
    client.end().catch(() => {})
  }
}

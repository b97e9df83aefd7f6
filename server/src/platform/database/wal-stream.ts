import type pg from 'pg'
import { StartupError } from '../process.ts'
import { replicationClient, toRefusal } from './base-backup.ts'
import { PrimaryClient } from './primary-client.ts'

interface Primary {
  /** PostgreSQL's own name of its data files, which copies of them keep. */
  system: string
  timeline: number
  /** Where its WAL ends at this moment. */
  lsn: bigint
  segmentBytes: bigint
}

/** Where a stream begins. */
export interface WalPosition {
  timeline: number
  lsn: bigint
}

interface ReceivedWal {
  /** Where `data` begins. */
  lsn: bigint
  /** What came since the last time; empty when the server only said that it is there. */
  data: Buffer
  /** The server's clock when it said that there is no more than this; undefined while more is on its way. */
  completeAt: Date | undefined
}

export interface WalStream {
  primary: Primary
  /** Reads the history file of the server's timeline; undefined for the first one, which has none. */
  readHistory(): Promise<string | undefined>
  /** Yields the WAL from there on, until the timeline ends, or `close`. Throws when the server has it no more. */
  read(from: WalPosition): AsyncGenerator<ReceivedWal>
  /** Tells the server that what is before `lsn` is on the disk here, and need not be kept there. */
  confirm(lsn: bigint): void
  close(): Promise<void>
}

/** Parses a position in the WAL as PostgreSQL writes it, such as 0/3000028. */
export function toLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The SQLSTATE of a server that has removed the WAL it is asked for. */
export const walIsGone = '58P01'

/**
 * Opens a connection that streams the WAL, as pg_receivewal does. A slot keeps at the server what has not been confirmed,
 * also while nobody is connected; where the server sets no bound to that (max_slot_wal_keep_size), the slot goes with the
 * connection, so that a store that is away never fills the disk of the database. One process at a time has its turn.
 */
export async function openWalStream(url: string): Promise<WalStream> {
  const client = new PrimaryClient({
    connectionString: url,
    ...replicationClient,
    application_name: 'olmos_wal',
  } as pg.ClientConfig)
  client.on('error', () => {})
  try {
    await client.connect()
    await takeTurn(client)
    const primary = await readPrimary(client)
    const slot = await keepSlot(client)
    let reading: WalReading | undefined
    return {
      primary,
      readHistory: () => readHistory(client, primary.timeline),
      async *read({ timeline, lsn }) {
        reading = new WalReading(`START_REPLICATION SLOT ${slot} PHYSICAL ${toText(lsn)} TIMELINE ${timeline}`, lsn)
        client.query(reading as unknown as pg.Submittable)
        yield* reading.read()
      },
      confirm: (lsn) => reading?.confirm(lsn),
      async close() {
        reading?.end()
        await client.end().catch(() => {})
      },
    }
  } catch (error) {
    await client.end().catch(() => {})
    throw toRefusal(error)
  }
}

const toText = (lsn: bigint) => `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`

/** Two who write into one folder would take each other's files for unfinished ones. The lock goes with the connection. */
async function takeTurn(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('olmos wal')::bigint) AS is_mine`,
  )
  if (!rows[0]?.is_mine) throw new StartupError('Another process keeps the WAL of this database.')
}

async function readPrimary(client: pg.Client): Promise<Primary> {
  const { rows } = await client.query<{ systemid: string; timeline: number; xlogpos: string }>('IDENTIFY_SYSTEM')
  const { rows: sizes } = await client.query<{ bytes: string }>(
    "SELECT setting AS bytes FROM pg_settings WHERE name = 'wal_segment_size'",
  )
  const [identity, size] = [rows[0], sizes[0]]
  if (!identity || !size) throw new Error('the server does not say which it is')
  const { systemid: system, timeline, xlogpos } = identity
  return { system, timeline: Number(timeline), lsn: toLsn(xlogpos), segmentBytes: BigInt(size.bytes) }
}

/** A slot for each database, as several may be on one server. Returns its name. */
async function keepSlot(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ slot: string; is_bounded: boolean; is_kept: boolean; is_lost: boolean }>(`
    SELECT own.slot, own.is_bounded, kept.slot_name IS NOT NULL AS is_kept, kept.wal_status IS NOT DISTINCT FROM 'lost' AS is_lost
    FROM (
      SELECT 'olmos_wal_' || oid AS slot, current_setting('max_slot_wal_keep_size') <> '-1' AS is_bounded
      FROM pg_database WHERE datname = current_database()) AS own
    LEFT JOIN pg_replication_slots AS kept ON kept.slot_name = own.slot`)
  const found = rows[0]
  if (!found) throw new Error('the server does not know its own database')
  const { slot, is_bounded, is_kept, is_lost } = found
  if (is_kept && is_bounded && !is_lost) return slot
  if (is_kept) await client.query(`DROP_REPLICATION_SLOT ${slot}`)
  const name = is_bounded ? slot : `${slot}_${process.pid}`
  await client.query(`CREATE_REPLICATION_SLOT ${name} ${is_bounded ? '' : 'TEMPORARY '}PHYSICAL RESERVE_WAL`)
  return name
}

async function readHistory(client: pg.Client, timeline: number): Promise<string | undefined> {
  if (timeline === 1) return undefined
  const { rows } = await client.query<{ content: Buffer | string }>(`TIMELINE_HISTORY ${timeline}`)
  return rows[0] && String(rows[0].content)
}

interface Connection {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  once(event: 'copyDone', listener: () => void): void
  stream: { pause(): void; resume(): void; destroy(): void; destroyed: boolean }
}

const kinds = { data: 'w'.charCodeAt(0), alive: 'k'.charCodeAt(0), status: 'r'.charCodeAt(0) }
/** PostgreSQL counts microseconds from 2000 on. */
const clockBeganMs = Date.UTC(2000, 0, 1)
const askEveryMs = 1_000
/** The server answers when it is asked; one that does not is gone, which the connection itself notices only much later. */
const silentAtMostMs = 2 * 60_000
/** So much may wait to be written; then the server has to wait. */
const waitingBytesAtMost = 32 * 1024 * 1024

/** What node-postgres calls with the answers to START_REPLICATION. */
class WalReading {
  readonly #command: string
  #connection: Connection | undefined
  #asking: ReturnType<typeof setInterval> | undefined
  #pieces: Buffer[] = []
  #waitingBytes = 0
  /** Where what waits begins, and where it ends. */
  #from: bigint
  #until: bigint
  #serverEnd = 0n
  #serverClock: Date | undefined
  #confirmed = 0n
  #isOver = false
  #failure: unknown
  #isPaused = false
  #heardAt = Date.now()
  #wake = () => {}
  #arrival = Promise.resolve()

  constructor(command: string, from: bigint) {
    this.#command = command
    this.#from = from
    this.#until = from
    this.#sleepAgain()
  }

  async *read(): AsyncGenerator<ReceivedWal> {
    try {
      for (;;) {
        await this.#arrival
        this.#sleepAgain()
        const [lsn, data] = [this.#from, Buffer.concat(this.#pieces)]
        this.#pieces = []
        this.#waitingBytes = 0
        this.#from = this.#until
        if (this.#isPaused && this.#connection) this.#connection.stream.resume()
        if (this.#isPaused) this.#heardAt = Date.now()
        this.#isPaused = false
        yield { lsn, data, completeAt: this.#until >= this.#serverEnd ? this.#serverClock : undefined }
        if (this.#from !== this.#until) continue
        if (this.#failure !== undefined) throw this.#failure
        if (this.#isOver) return
      }
    } finally {
      this.end()
    }
  }

  confirm(lsn: bigint): void {
    this.#confirmed = lsn
    this.#sendStatus()
  }

  end(): void {
    clearInterval(this.#asking)
    this.#isOver = true
    this.#wake()
  }

  submit(connection: Connection): void {
    this.#connection = connection
    connection.once('copyDone', () => this.end())
    connection.query(this.#command)
    // Without an answer a connection that is dead is not noticed, nor an archive that is complete.
    this.#asking = setInterval(() => {
      if (!this.#isPaused && Date.now() - this.#heardAt > silentAtMostMs) connection.stream.destroy()
      this.#sendStatus()
    }, askEveryMs)
  }
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handleReadyForQuery(): void {
    this.end()
  }
  handleError(error: unknown): void {
    if (!this.#isOver) this.#failure = error
    this.end()
  }
  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    this.#heardAt = Date.now()
    if (chunk[0] === kinds.alive) this.#serverClock = toClock(chunk, 9)
    if (chunk[0] === kinds.data) {
      // Copied, because node-postgres reads the next message into the same memory.
      const data = Buffer.from(chunk.subarray(25))
      this.#pieces.push(data)
      this.#waitingBytes += data.length
      this.#until += BigInt(data.length)
      this.#serverEnd = chunk.readBigUInt64BE(9)
      this.#serverClock = toClock(chunk, 17)
      if (this.#waitingBytes > waitingBytesAtMost && !this.#isPaused) {
        this.#isPaused = true
        connection.stream.pause()
      }
    }
    this.#wake()
  }

  /** Says how far this side is, and has the server answer. */
  #sendStatus(): void {
    if (!this.#connection || this.#connection.stream.destroyed) return
    const status = Buffer.alloc(34)
    status[0] = kinds.status
    for (const [at, lsn] of [this.#until, this.#confirmed, this.#confirmed].entries())
      status.writeBigUInt64BE(lsn, 1 + at * 8)
    status.writeBigUInt64BE(BigInt(Date.now() - clockBeganMs) * 1_000n, 25)
    status[33] = 1
    this.#connection.sendCopyFromChunk(status)
  }

  #sleepAgain(): void {
    this.#arrival = new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

const toClock = (chunk: Buffer, at: number) => new Date(Number(chunk.readBigInt64BE(at) / 1_000n) + clockBeganMs)

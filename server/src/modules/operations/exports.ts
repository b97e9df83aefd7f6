import { PassThrough, pipeline, type Readable } from 'node:stream'
import { type ExportFormat, exportsApi, type WantedExport } from '@olmos/contract/exports'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql, type Tx } from '../../platform/database/queries.ts'
import type { ServedFile } from '../../platform/http/serve.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { newToken, toDigest } from '../../platform/security/tokens.ts'
import { type Table, type TableColumn, writeCsv, writeXlsx } from '../../platform/tables/table.ts'
import { hasPermission } from '../accounts/staff.ts'
import { toCondition } from '../orders/order-filters.ts'
import { knownProfit } from '../orders/order-money.ts'
import { readTimeZone } from '../shop/shop.ts'
import {
  type ExportedCode,
  type ExportedCustomer,
  type ExportedOrder,
  type ExportedSale,
  type ExportedTransfer,
  readCustomers,
  readOrders,
  readSales,
  readStock,
  readTransfers,
} from './export-rows.ts'
import { exportWords, type Heading, headings, sheetTitles } from './export-texts.ts'
import { dateIn } from './summary.ts'

/** Names columns, states and kinds in the language of the file; columns of times say the zone. */
function columnsIn(language: Language, timeZone: string) {
  const title = (heading: Heading) => headings[language][heading]
  return {
    words: exportWords[language],
    text: <Row>(heading: Heading, read: (row: Row) => string | null): TableColumn<Row> => ({
      kind: 'text',
      title: title(heading),
      read,
    }),
    number: <Row>(heading: Heading, read: (row: Row) => number | null): TableColumn<Row> => ({
      kind: 'number',
      title: title(heading),
      read,
    }),
    money: <Row>(heading: Heading, read: (row: Row) => number | null): TableColumn<Row> => ({
      kind: 'money',
      title: title(heading),
      read,
    }),
    time: <Row>(heading: Heading, read: (row: Row) => Date | null): TableColumn<Row> => ({
      kind: 'time',
      title: `${title(heading)} (${timeZone})`,
      read,
    }),
  }
}
type Columns = ReturnType<typeof columnsIn>

const orderColumns = ({ text, number, money, time, words: say }: Columns): TableColumn<ExportedOrder>[] => [
  text('order', (row) => row.id),
  time('created_at', (row) => row.created_at),
  number('customer', (row) => row.user_id),
  text('nickname', (row) => row.nickname),
  text('purpose', (row) => say.purpose[row.purpose]),
  text('status', (row) => say.status[row.status]),
  text('payment_method', (row) => say.payment_method[row.payment_method]),
  text('currency', (row) => row.currency),
  money('total', (row) => row.total),
  money('from_balance', (row) => row.wallet_amount),
  text('coupon', (row) => row.coupon),
  money('discount', (row) => row.discount),
  money('refunded', (row) => row.refunded),
  text('items', (row) => row.items),
  text('accounts', (row) => row.accounts),
]

const saleColumns = ({ text, number, money, time, words: say }: Columns): TableColumn<ExportedSale>[] => [
  time('created_at', (row) => row.created_at),
  text('order', (row) => row.order_id),
  text('status', (row) => say.status[row.status]),
  text('product', (row) => row.product_title),
  text('region', (row) => row.region_name),
  number('amount', (row) => row.game_amount),
  text('unit', (row) => row.game_currency),
  number('quantity', (row) => row.quantity),
  text('item_status', (row) => say.item_status[row.item_status]),
  text('currency', (row) => row.currency),
  money('revenue', (row) => row.revenue),
  money('cost', (row) => knownProfit(row).cost),
  money('margin', (row) => knownProfit(row).margin),
  money('unknown_revenue', (row) => row.revenue - row.known_revenue),
  number('units', (row) => row.units),
  number('known_units', (row) => row.known_units),
  text('payment_method', (row) => say.payment_method[row.payment_method]),
  money('from_balance', (row) => row.wallet_amount),
  money('discount', (row) => row.discount),
]

const customerColumns = ({ text, number, money, time, words: say }: Columns): TableColumn<ExportedCustomer>[] => [
  number('customer', (row) => row.id),
  text('nickname', (row) => row.nickname),
  time('created_at', (row) => row.created_at),
  text('role', (row) => say.role[row.role]),
  text('contact', (row) => row.contact),
  time('blocked_at', (row) => row.blocked_at),
  money('balance_usd', (row) => row.balance_usd),
  money('balance_rub', (row) => row.balance_rub),
]

const ledgerColumns = ({ text, number, money, time, words: say }: Columns): TableColumn<ExportedTransfer>[] => [
  number('id', (row) => row.id),
  time('created_at', (row) => row.created_at),
  text('kind', (row) => say.kind[row.kind]),
  text('from', (row) => say.account[row.from]),
  number('from_customer', (row) => row.from_user),
  text('to', (row) => say.account[row.to]),
  number('to_customer', (row) => row.to_user),
  text('currency', (row) => row.currency),
  money('amount', (row) => row.amount),
  text('order', (row) => row.order_id),
  text('reason', (row) => row.reason),
  text('made_by', (row) => row.made_by),
]

const stockColumns = ({ text, number, time, words: say }: Columns): TableColumn<ExportedCode>[] => [
  number('id', (row) => row.id),
  time('created_at', (row) => row.created_at),
  text('product', (row) => row.product_title),
  text('region', (row) => row.region_name),
  number('amount', (row) => row.game_amount),
  text('unit', (row) => row.game_currency),
  text('status', (row) => say.code_status[row.status]),
  number('batch', (row) => row.batch_id),
  text('seller', (row) => row.seller),
  text('invoice', (row) => row.invoice),
  number('cost', (row) => (row.cost === null ? null : Number(row.cost))),
  text('cost_currency', (row) => row.cost_currency),
  text('expires_on', (row) => row.expires_on),
  text('order', (row) => row.order_id),
]

type File = AsyncGenerator<string | Buffer>

const types: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const formatted = <Row>(format: ExportFormat, table: Table<Row>): File =>
  format === 'csv' ? writeCsv(table) : writeXlsx(table)

interface FileOptions {
  language: Language
  timeZone: string
}

/** Writes a file while it reads; everything in it is as of the moment of the queries' snapshot. */
async function writeExport(queries: Queries, wanted: WantedExport, { language, timeZone }: FileOptions): Promise<File> {
  const columns = columnsIn(language, timeZone)
  const table = { title: sheetTitles[language][wanted.what], timeZone }
  const { format } = wanted
  switch (wanted.what) {
    case 'orders': {
      const condition = await toCondition(queries, wanted.filters, timeZone)
      const pages = readOrders(queries, condition, language)
      return formatted(format, { ...table, columns: orderColumns(columns), pages })
    }
    case 'sales': {
      const pages = readSales(queries, { ...wanted.days, timeZone }, language)
      return formatted(format, { ...table, columns: saleColumns(columns), pages })
    }
    case 'customers':
      return formatted(format, { ...table, columns: customerColumns(columns), pages: readCustomers(queries) })
    case 'ledger': {
      const pages = readTransfers(queries, { ...wanted.days, timeZone })
      return formatted(format, { ...table, columns: ledgerColumns(columns), pages })
    }
    case 'stock':
      return formatted(format, { ...table, columns: stockColumns(columns), pages: readStock(queries, language) })
  }
}

const ticketSeconds = 60
/** A download that nobody takes, or that takes this long, ends: old snapshots keep the database from cleaning up. */
const idleMs = 60_000
const longestMs = 30 * 60_000
/** On one node: each holds a connection for as long as it takes. */
const atOnce = 2

async function insertTicket(
  tx: Tx,
  {
    userId,
    sessionHash,
    wanted,
    language,
  }: { userId: number; sessionHash: Buffer; wanted: WantedExport; language: Language },
): Promise<string> {
  const ticket = newToken()
  await tx.run(sql`DELETE FROM export_ticket WHERE expires_at <= now()`)
  await tx.run(sql`
    INSERT INTO export_ticket (ticket_hash, user_id, session_hash, request, language, expires_at)
    VALUES (${toDigest(ticket)}, ${userId}, ${sessionHash}, ${JSON.stringify(wanted)}, ${language},
      now() + make_interval(secs => ${ticketSeconds}))`)
  return ticket
}

/** Takes a ticket out, so that it opens nothing a second time. */
const takeTicket = (queries: Queries, ticket: string) =>
  queries.maybe<{ user_id: number; request: WantedExport; language: Language }>(sql`
    DELETE FROM export_ticket WHERE ticket_hash = ${toDigest(ticket)} AND expires_at > now()
    RETURNING user_id, request, language`)

/** Reads and sends at the pace of the download; the snapshot ends with the stream, whichever ends first. */
function streamExport(database: Database, wanted: WantedExport, options: FileOptions): Readable {
  const out = new PassThrough()
  const sent = (queries: Queries) =>
    new Promise<void>((resolve, reject) => {
      writeExport(queries, wanted, options).then(
        (file) => pipeline(file, out, (error) => (error ? reject(error) : resolve())),
        reject,
      )
    })
  const limit = setTimeout(() => out.destroy(new Error('the download took too long')), longestMs)
  database
    .snapshot(sent, { idleMs })
    .catch((error) => out.destroy(error))
    .finally(() => clearTimeout(limit))
  return out
}

/** Files of what the shop sold, whom it knows, what its money did and what it has. */
export function exportsAdmin({ serve, database, clock, config }: Context): void {
  let running = 0

  serve(exportsApi.start, async ({ user, body, language }) => {
    const ticket = await database.transaction(async (tx) => {
      const { what, ...how } = body
      await writeAudit(tx, { actorId: user.id, action: 'export.start', subject: `export:${what}`, after: how })
      return insertTicket(tx, { userId: user.id, sessionHash: user.tokenHash, wanted: body, language })
    })
    return { data: { path: `/api/exports/${ticket}` } }
  })

  serve.file(exportsApi.download, async ({ params }): Promise<ServedFile> => {
    if (running >= atOnce) throw new Failure('OVERLOADED')
    // Counted at once: who opens many in one moment must not have all of them pass.
    running++
    const end = () => running--
    try {
      const file = await openExport(params.ticket)
      file.content.once('close', end)
      return file
    } catch (error) {
      end()
      throw error
    }
  })

  async function openExport(ticket: string) {
    const taken = await takeTicket(database, ticket)
    if (!taken || !(await hasPermission(database, taken.user_id, 'exports.read'))) throw new Failure('NOT_FOUND')
    const { request, language } = taken
    const timeZone = await readTimeZone(database, config)
    const content = streamExport(database, request, { language, timeZone })
    const name = `${request.what}-${dateIn(timeZone, clock.now())}.${request.format}`
    return { name, type: types[request.format], content }
  }
}

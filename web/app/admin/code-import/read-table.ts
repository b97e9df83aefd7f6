import * as LIMITS from '@olmos/contract/limits'
import { ADMIN_LIMITS } from '../limits.ts'
import {
  findFormat,
  readTextRows,
  type Separator,
  type TableRow,
  type TextFormat,
  UnreadableFile,
} from './read-text.ts'
import { openWorkbook, type Workbook } from './read-xlsx.ts'

/** A file, or a text that was typed or pasted, that can be read again and again. */
export type Table = { columns: number; first: readonly TableRow[]; rows(): AsyncGenerator<TableRow[]> } & (
  | { kind: 'text'; format: TextFormat }
  | { kind: 'sheets'; names: readonly string[]; chosen: number }
)

/** What is chosen of how to read it; the rest is found out. */
export interface Reading {
  separator?: Separator
  sheet?: number
}

const startsWith = async (file: Blob, ...bytes: number[]): Promise<boolean> => {
  const first = new Uint8Array(await file.slice(0, bytes.length).arrayBuffer())
  return bytes.every((byte, at) => first[at] === byte)
}

/** Opens a file by what is in it, not by its name, and reads its first rows. */
export async function openTable(file: Blob, { separator, sheet = 0 }: Reading = {}): Promise<Table> {
  if (file.size > ADMIN_LIMITS.fileBytes) throw new UnreadableFile('too_big')
  // An old workbook, or one with a password.
  if (await startsWith(file, 0xd0, 0xcf, 0x11, 0xe0)) throw new UnreadableFile('old_excel')
  if (await startsWith(file, 0x50, 0x4b)) return toSheets(await openWorkbook(file), sheet)
  const found = await findFormat(file)
  const format = separator === undefined ? found : { ...found, separator }
  return { kind: 'text', format, ...(await withFirst(() => readTextRows(file, format))) }
}

async function toSheets(book: Workbook, wanted: number): Promise<Table> {
  const chosen = wanted < book.sheets.length ? wanted : 0
  const sheet = book.sheets[chosen]
  if (!sheet) throw new UnreadableFile('not_xlsx')
  const names = book.sheets.map(({ name }) => name)
  return { kind: 'sheets', names, chosen, ...(await withFirst(() => book.rows(sheet))) }
}

/** How many rows are looked at to tell what the columns are. */
const firstRows = 50

async function withFirst(read: () => AsyncGenerator<TableRow[]>) {
  const first: TableRow[] = []
  for await (const rows of read()) {
    first.push(...rows.slice(0, firstRows - first.length))
    if (first.length === firstRows) break
  }
  const columns = Math.max(0, ...first.map(({ cells }) => cells.length))
  return { first, columns, rows: () => limited(read()) }
}

/** Refuses more rows than an import may have, and lets the page live between them. */
async function* limited(rows: AsyncGenerator<TableRow[]>): AsyncGenerator<TableRow[]> {
  let count = 0
  for await (const some of rows) {
    count += some.length
    // One may be the header.
    if (count > LIMITS.importLinesMax + 1) throw new UnreadableFile('too_many_lines')
    yield some
    await nextTask()
  }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

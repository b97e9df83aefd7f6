import * as LIMITS from '@olmos/contract/limits'
import { ADMIN_LIMITS } from '../limits.ts'

/** Why a file is not read to its end; `line` is where it went wrong. */
export class UnreadableFile extends Error {
  readonly reason:
    | 'not_text'
    | 'too_many_lines'
    | 'too_big'
    | 'open_quote'
    | 'not_xlsx'
    | 'old_excel'
    | 'too_big_inside'
  readonly line: number | undefined

  constructor(reason: UnreadableFile['reason'], line?: number) {
    super(reason)
    this.reason = reason
    this.line = line
  }
}

/** A row of a file, which may be several lines of it. */
export interface TableRow {
  /** The line it begins in, from 1, as an editor or a spreadsheet counts. */
  line: number
  cells: readonly string[]
  /** Cells whose digits Excel cut off: it keeps fifteen of a number. */
  cut?: readonly number[]
  /** Whether something stands behind a closing quote: where its columns begin and end is a guess. */
  isTorn?: boolean
}

/** What stands between the columns of a text; a blank one is a text of one column. */
export const separators = [';', ',', '\t', ''] as const
export type Separator = (typeof separators)[number]

/** How a text is to be read. */
export interface TextFormat {
  encoding: 'utf-8' | 'utf-16le' | 'windows-1251'
  separator: Separator
}

/** What no code comes near to. */
const cellLengthMax = 10 * LIMITS.codeLengthMax
const columnsMax = 100
/** Few enough to be read between two frames. */
const rowsAtOnce = 500

/**
 * Yields the rows of a text, many at a time: no more of it is in memory, and the page stays responsive in between. Empty
 * rows are left out. A quoted cell may have separators, line breaks and doubled quotes in it.
 */
export async function* readTextRows(text: Blob, format: TextFormat): AsyncGenerator<TableRow[]> {
  const reader = rowReader(format.separator)
  for await (const piece of decode(text, format.encoding)) {
    for (let at = 0; at < piece.length; at += ADMIN_LIMITS.signsAtOnce) {
      reader.read(piece.slice(at, at + ADMIN_LIMITS.signsAtOnce))
      if (reader.count() >= rowsAtOnce) yield reader.take()
    }
  }
  reader.end()
  const rest = reader.take()
  if (rest.length > 0) yield rest
}

type At = 'start' | 'plain' | 'quoted' | 'closed'

/** Reads rows out of a text that comes in pieces. */
function rowReader(separator: Separator) {
  let rows: TableRow[] = []
  let cells: string[] = []
  let cell = ''
  let at: At = 'start'
  let isTorn = false
  let line = 1
  let begins = 1
  let quoteLine = 1
  let isAfterReturn = false

  const endCell = () => {
    if (cells.length < columnsMax) cells.push(cell.trim())
    cell = ''
    at = 'start'
  }
  const endRow = () => {
    endCell()
    if (cells.some((text) => text !== '')) rows.push({ line: begins, cells, ...(isTorn && { isTorn }) })
    cells = []
    isTorn = false
    begins = line
  }

  const takeQuoted = (sign: string) => {
    if (sign === '"') at = 'closed'
    else cell += sign
  }
  const takePlain = (sign: string) => {
    if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (at === 'closed' && sign === '"') {
      cell += '"'
      at = 'quoted'
    } else if (at === 'closed') {
      if (sign.trim() !== '') isTorn = true
      cell += sign
    } else if (at === 'start' && sign === '"') {
      cell = ''
      at = 'quoted'
      quoteLine = line
    } else {
      if (sign.trim() !== '') at = 'plain'
      cell += sign
    }
  }

  return {
    read(piece: string): void {
      for (const sign of piece) {
        // Line ends of Windows and of old Macs are one sign here.
        const isSecondHalf = isAfterReturn && sign === '\n'
        isAfterReturn = sign === '\r'
        if (isSecondHalf) continue
        const taken = sign === '\r' ? '\n' : sign
        if (taken === '\n') line++
        if (at === 'quoted') takeQuoted(taken)
        else takePlain(taken)
        if (cell.length > cellLengthMax) {
          if (at === 'quoted') throw new UnreadableFile('open_quote', quoteLine)
          throw new UnreadableFile('not_text', begins)
        }
      }
    },
    end(): void {
      if (at === 'quoted') throw new UnreadableFile('open_quote', quoteLine)
      endRow()
    },
    count: () => rows.length,
    take(): TableRow[] {
      const read = rows
      rows = []
      return read
    },
  }
}

/** Decodes a text, without its byte order mark. */
async function* decode(blob: Blob, encoding: TextFormat['encoding']): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  const reader = blob.stream().getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield decoder.decode(read.value, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('not_text')
    throw error
  } finally {
    await reader.cancel()
  }
}

const sampleLength = 65_536

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
const noText = /[\u0000-\u0008\u000E-\u001F]/

/** Reads a text to its end, and returns how it begins; refuses what is none. */
async function tryEncoding(blob: Blob, encoding: TextFormat['encoding']): Promise<string> {
  let sample = ''
  for await (const piece of decode(blob, encoding)) {
    if (noText.test(piece)) throw new UnreadableFile('not_text')
    if (sample.length < sampleLength) sample += piece.slice(0, sampleLength)
  }
  return sample
}

const sampleRows = 50

/** Counts the columns that most of the first rows have, and which share of the rows these are. */
function countColumns(sample: string, separator: Separator): { columns: number; share: number } {
  const reader = rowReader(separator)
  let rows: TableRow[]
  try {
    // The last row may be cut off.
    reader.read(sample)
    if (reader.count() === 0) reader.end()
    rows = reader.take().slice(0, sampleRows)
  } catch {
    return { columns: 0, share: 0 }
  }
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const [columns, count] = [...counts].sort(([, some], [, others]) => others - some)[0] ?? [0, 0]
  return { columns, share: rows.length === 0 ? 0 : count / rows.length }
}

/** How many of the first rows must have as many columns as most of them. */
const mostRows = 0.6

/** Tells which sign separates the columns: the one with which most rows have the same number of columns, and most columns. */
function findSeparator(sample: string): Separator {
  const found = separators
    .filter((separator) => separator !== '')
    .map((separator) => ({ separator, ...countColumns(sample, separator) }))
    .filter(({ columns, share }) => columns > 1 && share >= mostRows)
    .sort((some, others) => others.columns - some.columns || others.share - some.share)
  return found[0]?.separator ?? ''
}

/**
 * Tells how a text is to be read: as UTF-8, as what Excel calls Unicode text, or else in the Cyrillic of Windows, in which
 * any bytes are letters.
 */
export async function findFormat(text: Blob): Promise<TextFormat> {
  const [first, second] = new Uint8Array(await text.slice(0, 2).arrayBuffer())
  const guesses = first === 0xff && second === 0xfe ? (['utf-16le'] as const) : (['utf-8', 'windows-1251'] as const)
  let refusal: unknown
  for (const encoding of guesses) {
    try {
      return { encoding, separator: findSeparator(await tryEncoding(text, encoding)) }
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      refusal = error
    }
  }
  throw refusal
}

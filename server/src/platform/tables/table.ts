import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { byteOrderMark, toCsv, toCsvCell, toCsvLine } from '@olmos/contract/csv'

/** One column of a file. Money is in minor units, of which every currency here has a hundred. */
export type TableColumn<Row> = { title: string } & (
  | { kind: 'text'; read(row: Row): string | null }
  | { kind: 'number'; read(row: Row): number | null }
  | { kind: 'money'; read(row: Row): number | null }
  | { kind: 'time'; read(row: Row): Date | null }
)

/** Rows of a file, some at a time. */
export interface Table<Row> {
  /** Names the sheet, where the format has any. */
  title: string
  columns: readonly TableColumn<Row>[]
  pages: AsyncIterable<readonly Row[]>
  /** The time zone that times are written in. */
  timeZone: string
}

/** Formats times as the clock on a wall shows them: `2026-11-24 13:49:35`. */
function wallClock(timeZone: string): (time: Date) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (time) => format.format(time)
}

/** Formats an amount without a float: `-12.50`. */
export function toMoneyText(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Formats a table as CSV, one page of rows after the other. */
export async function* writeCsv<Row>({ columns, pages, timeZone }: Table<Row>): AsyncGenerator<string> {
  const toTime = wallClock(timeZone)
  const format = (column: TableColumn<Row>, row: Row): string => {
    if (column.kind === 'text' || column.kind === 'number') return toCsvCell(column.read(row))
    if (column.kind === 'money') {
      const minor = column.read(row)
      return minor === null ? '' : toMoneyText(minor)
    }
    const time = column.read(row)
    return time === null ? '' : toTime(time)
  }
  yield byteOrderMark + toCsv([columns.map(({ title }) => title)])
  for await (const rows of pages)
    yield rows.map((row) => toCsvLine(columns.map((column) => format(column, row)))).join('')
}

/** What a sheet of Excel holds, its heading included. */
const sheetRowsMax = 1_048_576

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types'
const sheetMl = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Rows of `cellXfs` in the styles: what a cell of a kind looks like. */
const styleIds = { text: 0, number: 0, money: 1, time: 2, title: 3 } as const

const styles = `${declaration}<styleSheet xmlns="${main}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border/></borders>
<cellStyleXfs count="1"><xf/></cellStyleXfs>
<cellXfs count="4"><xf xfId="0"/><xf numFmtId="4" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" xfId="0" applyNumberFormat="1"/><xf fontId="1" xfId="0" applyFont="1"/></cellXfs>
</styleSheet>`

/** The longest text that a cell takes. */
const cellLengthMax = 32_767

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control characters are not allowed in XML at all. */
const toXml = (text: string): string =>
  text
    .slice(0, cellLengthMax)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, '')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** A text in its cell is never read as a formula. */
const textCell = (text: string, style: number): string =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${toXml(text)}</t></is></c>`

const numberCell = (value: string, style: number): string => `<c${style ? ` s="${style}"` : ''}><v>${value}</v></c>`

const dayMs = 86_400_000
/** How many days of Excel's calendar passed before 1970. */
const daysBefore1970 = 25_569

function cellFormat(timeZone: string) {
  const toTime = wallClock(timeZone)
  const toDays = (time: Date) => Date.parse(`${toTime(time).replace(' ', 'T')}Z`) / dayMs + daysBefore1970
  return <Row>(column: TableColumn<Row>, row: Row): string => {
    const value = column.read(row)
    if (value === null) return '<c/>'
    if (typeof value === 'string') return textCell(value, styleIds.text)
    if (typeof value === 'number')
      return numberCell(column.kind === 'money' ? toMoneyText(value) : String(value), styleIds[column.kind])
    return numberCell(String(toDays(value)), styleIds.time)
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

/** Formats a table as an Office Open XML workbook; rows that one sheet can't hold go on in the next. */
export function writeXlsx<Row>(
  { title, columns, pages, timeZone }: Table<Row>,
  rowsMax = sheetRowsMax,
): AsyncGenerator<Buffer> {
  const format = cellFormat(timeZone)
  const heading = `<row>${columns.map((column) => textCell(column.title, styleIds.title)).join('')}</row>`
  const source = pages[Symbol.asyncIterator]()
  let left: readonly Row[] = []
  let isOver = false
  const readMore = async () => {
    while (!isOver && left.length === 0) {
      const { value, done } = await source.next()
      if (done) isOver = true
      else left = value
    }
  }

  async function* sheet(): AsyncGenerator<string> {
    const width = columns.map(({ kind }, index) => {
      const wide = kind === 'text' || kind === 'time' ? 22 : 14
      return `<col min="${index + 1}" max="${index + 1}" width="${wide}" customWidth="1"/>`
    })
    const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    yield `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`
    yield `<cols>${width.join('')}</cols><sheetData>${heading}`
    let room = rowsMax - 1
    for (await readMore(); !isOver && room > 0; await readMore()) {
      const rows = left.slice(0, room)
      left = left.slice(rows.length)
      room -= rows.length
      yield rows.map((row) => `<row>${columns.map((column) => format(column, row)).join('')}</row>`).join('')
    }
    yield '</sheetData></worksheet>'
  }

  async function* parts() {
    let sheets = 0
    try {
      do {
        sheets++
        yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet() }
        await readMore()
      } while (!isOver)
      yield* frame(title, sheets)
    } finally {
      await source.return?.()
    }
  }
  return writeZip(parts())
}

/** What holds the sheets together. */
function* frame(title: string, sheets: number) {
  const each = (format: (number: number) => string) => numbers(sheets).map(format).join('')
  const name = toXml(title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 25))
  const part = (path: string, text: string) => ({ name: path, content: once(declaration + text) })
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${each(
      (n) => `<sheet name="${n === 1 ? name : `${name} ${n}`}" sheetId="${n}" r:id="rId${n}"/>`,
    )}</sheets></workbook>`,
  )
  yield part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packageRelations}">${each(
      (n) => `<Relationship Id="rId${n}" Type="${relations}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    )}<Relationship Id="rIdStyles" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
  )
  yield { name: 'xl/styles.xml', content: once(styles) }
  yield part(
    '_rels/.rels',
    `<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  )
  yield part(
    '[Content_Types].xml',
    `<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetMl}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetMl}.styles+xml"/>${each(
      (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${sheetMl}.worksheet+xml"/>`,
    )}</Types>`,
  )
}

interface ZipEntry {
  name: string
  content: AsyncIterable<string>
}

interface Written {
  name: Buffer
  offset: number
  crc: number
  packed: number
  plain: number
}

// Sizes follow the content (bit 3) and names are UTF-8 (bit 11).
const flags = 0x0808
const version = 20
const deflated = 8
/** The first of January 1980, which is the earliest that the format knows. */
const date = 0x21

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function dataDescriptor({ crc, packed, plain }: Written): Buffer {
  const sizes = Buffer.alloc(16)
  sizes.writeUInt32LE(0x08074b50, 0)
  sizes.writeUInt32LE(crc, 4)
  sizes.writeUInt32LE(packed, 8)
  sizes.writeUInt32LE(plain, 12)
  return sizes
}

function directoryEntry(entry: Written): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(deflated, 10)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(entry.crc, 16)
  header.writeUInt32LE(entry.packed, 20)
  header.writeUInt32LE(entry.plain, 24)
  header.writeUInt16LE(entry.name.length, 28)
  header.writeUInt32LE(entry.offset, 42)
  return Buffer.concat([header, entry.name])
}

function endOfDirectory(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

/**
 * Packs entries into a zip archive (APPNOTE 6.3.3, without the extension for 4 GB and more) and holds no more of them than a
 * few pieces at a time. Entries are read one after the other, and asked for when the one before is packed.
 */
async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, plain: 0 }
    const header = localHeader(entry.name)
    yield header
    offset += header.length
    const counted = async function* () {
      for await (const text of content) {
        const bytes = Buffer.from(text)
        entry.crc = crc32(bytes, entry.crc)
        entry.plain += bytes.length
        yield bytes
      }
    }
    // What fails in the source comes out of the packer; who stops reading ends both.
    for await (const chunk of pipeline(
      Readable.from(counted()),
      createDeflateRaw(),
      () => {},
    ) as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      yield chunk
    }
    const sizes = dataDescriptor(entry)
    yield sizes
    offset += entry.packed + sizes.length
    written.push(entry)
  }
  const directory = Buffer.concat(written.map(directoryEntry))
  yield Buffer.concat([directory, endOfDirectory(written.length, directory.length, offset)])
}

import { ADMIN_LIMITS } from '../limits.ts'
import { type TableRow, UnreadableFile } from './read-text.ts'

// A workbook is a ZIP of XML files, which the browser unpacks itself. Only what cells need is read: texts, numbers, and
// which numbers are dates.

interface Entry {
  file: Blob
  /** Where its header begins. */
  header: number
  packedSize: number
  isDeflated: boolean
}

const endSignature = 0x06054b50
const endLength = 22
const commentMax = 65_535
const entryHeaderLength = 46
const localHeaderLength = 30

const readBytes = async (blob: Blob) => new DataView(await blob.arrayBuffer())

/** Reads what a ZIP contains out of the directory at its end. */
async function openZip(file: Blob): Promise<Map<string, Entry>> {
  const tailStart = Math.max(0, file.size - endLength - commentMax)
  const tail = await readBytes(file.slice(tailStart))
  let end = tail.byteLength - endLength
  while (end >= 0 && tail.getUint32(end, true) !== endSignature) end--
  if (end < 0) throw new UnreadableFile('not_xlsx')
  const size = tail.getUint32(end + 12, true)
  const start = tail.getUint32(end + 16, true)
  const directory = await readBytes(file.slice(start, start + size))
  const entries = new Map<string, Entry>()
  let at = 0
  while (at + entryHeaderLength <= directory.byteLength) {
    const nameLength = directory.getUint16(at + 28, true)
    if (at + entryHeaderLength + nameLength > directory.byteLength) throw new UnreadableFile('not_xlsx')
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + entryHeaderLength, nameLength))
    entries.set(name.toLowerCase(), {
      file,
      header: directory.getUint32(at + 42, true),
      packedSize: directory.getUint32(at + 20, true),
      isDeflated: directory.getUint16(at + 10, true) === 8,
    })
    at += entryHeaderLength + nameLength + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
  }
  return entries
}

/**
 * Yields the text of a file of the workbook as it is unpacked. A few kilobytes can become gigabytes: it ends where more
 * comes out than any list of codes has.
 */
async function* unpack({ file, header, packedSize, isDeflated }: Entry): AsyncGenerator<string> {
  const local = await readBytes(file.slice(header, header + localHeaderLength))
  if (local.byteLength < localHeaderLength) throw new UnreadableFile('not_xlsx')
  const from = header + localHeaderLength + local.getUint16(26, true) + local.getUint16(28, true)
  const packed = file.slice(from, from + packedSize)
  const bytes = isDeflated ? packed.stream().pipeThrough(new DecompressionStream('deflate-raw')) : packed.stream()
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  let length = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.byteLength
      if (length > ADMIN_LIMITS.unpackedBytes) throw new UnreadableFile('too_big_inside')
      yield decoder.decode(read.value, { stream: true })
    }
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableFile('not_xlsx')
    throw error
  } finally {
    await reader.cancel().catch(() => {})
  }
}

interface Element {
  attributes: string
  inner: string
  /** Where it ends in its text. */
  end: number
}

/**
 * Yields the elements of this name that a text has from beginning to end. It looks for each end once: a search by one
 * expression would go through a damaged text again from every beginning.
 */
function* elementsIn(text: string, name: string): Generator<Element> {
  const opening = new RegExp(`<(?:\\w{1,8}:)?${name}(?=[\\s/>])`, 'g')
  const closing = new RegExp(`</(?:\\w{1,8}:)?${name}>`, 'g')
  for (let start = opening.exec(text); start; start = opening.exec(text)) {
    const headEnd = text.indexOf('>', opening.lastIndex)
    if (headEnd < 0) return
    const isEmpty = text[headEnd - 1] === '/'
    const attributes = text.slice(opening.lastIndex, isEmpty ? headEnd - 1 : headEnd)
    closing.lastIndex = headEnd + 1
    const close = isEmpty ? undefined : closing.exec(text)
    if (close === null) return
    const end = close ? closing.lastIndex : headEnd + 1
    yield { attributes, inner: close ? text.slice(headEnd + 1, close.index) : '', end }
    opening.lastIndex = end
  }
}

/** Longer than a row of a hundred full cells. */
const elementLengthMax = 4_000_000

/** Yields the elements of this name that a file of the workbook has, as it is unpacked. */
async function* elements(entry: Entry, name: string): AsyncGenerator<Element> {
  let text = ''
  for await (const piece of unpack(entry)) {
    text += piece
    let end = 0
    for (const element of elementsIn(text, name)) {
      end = element.end
      yield element
    }
    text = text.slice(end)
    if (text.length > elementLengthMax) throw new UnreadableFile('too_big_inside')
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const toSign = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '')

const fromXml = (text: string): string =>
  text
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hex, name) => {
      if (decimal) return toSign(Number(decimal))
      return hex ? toSign(Number.parseInt(hex, 16)) : (entities[name] ?? whole)
    })
    .replace(/_x([\da-f]{4})_/gi, (_, hex) => toSign(Number.parseInt(hex, 16)))
    .replace(/\r\n?/g, '\n')

/** The texts in an element, without the reading aids of Japanese ones. */
function textIn(inner: string): string {
  const [first = '', ...others] = inner.split(/<(?:\w{1,8}:)?rPh[\s>]/)
  const plain = first + others.map((part) => part.split(/<\/(?:\w{1,8}:)?rPh>/)[1] ?? '').join('')
  return [...elementsIn(plain, 't')].map((text) => fromXml(text.inner)).join('')
}

const attribute = (attributes: string, name: string): string | undefined => {
  const text = new RegExp(`(?:^|\\s)(?:\\w+:)?${name}="([^"]*)"`).exec(attributes)?.[1]
  return text === undefined ? undefined : fromXml(text)
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const list: Value[] = []
  for await (const value of values) list.push(value)
  return list
}

export interface Sheet {
  name: string
  path: string
}

export interface Workbook {
  sheets: readonly Sheet[]
  rows(sheet: Sheet): AsyncGenerator<TableRow[]>
}

/** What a cell of a style shows its number as. */
type NumberLook = { kind: 'date' } | { kind: 'digits'; count: number } | { kind: 'number' }

const isDateFormat = (format: string): boolean => /[dmyh]/i.test(format.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))

const toLook = (id: number, formats: ReadonlyMap<number, string>): NumberLook => {
  const format = formats.get(id) ?? ''
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58) || isDateFormat(format))
    return { kind: 'date' }
  return /^0{2,}$/.test(format) ? { kind: 'digits', count: format.length } : { kind: 'number' }
}

async function readLooks(entry: Entry | undefined): Promise<NumberLook[]> {
  if (!entry) return []
  const formats = new Map<number, string>()
  for await (const { attributes } of elements(entry, 'numFmt')) {
    formats.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
  }
  const [cells] = await all(elements(entry, 'cellXfs'))
  return [...elementsIn(cells?.inner ?? '', 'xf')].map(({ attributes }) =>
    toLook(Number(attribute(attributes, 'numFmtId') ?? 0), formats),
  )
}

/** Opens a workbook: what its sheets are called, and their rows. */
export async function openWorkbook(file: Blob): Promise<Workbook> {
  const entries = await openZip(file)
  const book = entries.get('xl/workbook.xml')
  const relations = entries.get('xl/_rels/workbook.xml.rels')
  if (!book || !relations) throw new UnreadableFile('not_xlsx')
  const targets = new Map(
    (await all(elements(relations, 'Relationship'))).map(({ attributes }) => [
      attribute(attributes, 'Id'),
      attribute(attributes, 'Target') ?? '',
    ]),
  )
  const sheets = (await all(elements(book, 'sheet'))).flatMap(({ attributes }) => {
    const target = targets.get(attribute(attributes, 'id')) ?? ''
    const path = (target.startsWith('/') ? target.slice(1) : `xl/${target}`).toLowerCase()
    const isShown = (attribute(attributes, 'state') ?? 'visible') === 'visible'
    return isShown && entries.has(path) ? [{ name: attribute(attributes, 'name') ?? '', path }] : []
  })
  if (sheets.length === 0) throw new UnreadableFile('not_xlsx')
  const properties = (await all(elements(book, 'workbookPr')))[0]?.attributes ?? ''
  const is1904 = ['1', 'true'].includes(attribute(properties, 'date1904') ?? '')
  const looks = await readLooks(entries.get('xl/styles.xml'))
  const texts = await readTexts(entries.get('xl/sharedstrings.xml'))
  return {
    sheets,
    rows: ({ path }) => readRows(entries.get(path) as Entry, { texts, looks, is1904 }),
  }
}

async function readTexts(entry: Entry | undefined): Promise<string[]> {
  if (!entry) return []
  const texts: string[] = []
  for await (const { inner } of elements(entry, 'si')) texts.push(textIn(inner))
  return texts
}

interface Shared {
  texts: readonly string[]
  looks: readonly NumberLook[]
  is1904: boolean
}

const rowsAtOnce = 500
const columnsMax = 100

async function* readRows(entry: Entry, shared: Shared): AsyncGenerator<TableRow[]> {
  let rows: TableRow[] = []
  let line = 0
  for await (const { attributes, inner } of elements(entry, 'row')) {
    line = Number(attribute(attributes, 'r')) || line + 1
    const row = readCells(inner, line, shared)
    if (row.cells.some((text) => text !== '')) rows.push(row)
    if (rows.length === rowsAtOnce) {
      yield rows
      rows = []
    }
  }
  if (rows.length > 0) yield rows
}

function readCells(inner: string, line: number, shared: Shared): TableRow {
  const cells: string[] = []
  const cut: number[] = []
  for (const { attributes, inner: content } of elementsIn(inner, 'c')) {
    const place = attribute(attributes, 'r')
    const column = place ? toColumn(place) : cells.length
    if (column >= columnsMax) continue
    while (cells.length < column) cells.push('')
    const { text, isCut } = readCell(attributes, content, shared)
    cells[column] = text.trim()
    if (isCut) cut.push(column)
  }
  return { line, cells, ...(cut.length > 0 && { cut }) }
}

/** Reads the column out of a place such as `AB12`, from 0. */
const toColumn = (place: string): number =>
  [...(/^[A-Z]+/.exec(place)?.[0] ?? 'A')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** From here on a number has more digits than Excel keeps. */
const cutFrom = 1e15

function readCell(
  attributes: string,
  content: string,
  { texts, looks, is1904 }: Shared,
): { text: string; isCut?: boolean } {
  const type = attribute(attributes, 't') ?? 'n'
  if (type === 'inlineStr') return { text: textIn(content) }
  const [written] = elementsIn(content, 'v')
  const value = fromXml(written?.inner ?? '')
  if (type === 's') return { text: texts[Number(value)] ?? '' }
  if (type === 'd') return { text: value.slice(0, 10) }
  if (type !== 'n' || value === '') return { text: value }
  const number = Number(value)
  const look = looks[Number(attribute(attributes, 's') ?? 0)]
  if (look?.kind === 'date') return { text: toDay(number, is1904) }
  if (look?.kind === 'digits') return { text: String(number).padStart(look.count, '0'), isCut: number >= cutFrom }
  return { text: Number.isFinite(number) ? String(number) : value, isCut: Math.abs(number) >= cutFrom }
}

const dayMs = 86_400_000

/** The day of a number of Excel's calendar: 2026-12-31. */
function toDay(number: number, is1904: boolean): string {
  const time = new Date((Math.floor(number) + (is1904 ? 1_462 : 0) - 25_569) * dayMs)
  return Number.isNaN(time.getTime()) ? String(number) : time.toISOString().slice(0, 10)
}

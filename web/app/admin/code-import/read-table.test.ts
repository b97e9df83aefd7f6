import { crc32, deflateRawSync } from 'node:zlib'
import * as LIMITS from '@olmos/contract/limits'
import { describe, expect, test } from 'vitest'
import { ADMIN_LIMITS } from '../limits.ts'
import { openTable, type Reading, type Table } from './read-table.ts'
import type { TableRow } from './read-text.ts'

async function rowsIn(table: Table): Promise<TableRow[]> {
  const all: TableRow[] = []
  for await (const rows of table.rows()) all.push(...rows)
  return all
}

const read = async (file: Blob, reading?: Reading) => rowsIn(await openTable(file, reading))
const readCells = async (file: Blob, reading?: Reading) => (await read(file, reading)).map(({ cells }) => cells)

describe('a text', () => {
  test.each([
    [
      'commas',
      'A,1.5,120\nB,2,160\n',
      [
        ['A', '1.5', '120'],
        ['B', '2', '160'],
      ],
    ],
    [
      'semicolons beside decimal commas',
      'A;1,5;120,00\nB;2,0;160,50',
      [
        ['A', '1,5', '120,00'],
        ['B', '2,0', '160,50'],
      ],
    ],
    [
      'tabs',
      'A\t1\r\nB\t2\r\n',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    ['one column', 'AAAA-1\nBBBB-2\nCCCC-3', [['AAAA-1'], ['BBBB-2'], ['CCCC-3']]],
    [
      'a byte order mark',
      '\uFEFFA,1\nB,2',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    [
      'line ends of old Macs',
      'A,1\rB,2\r',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    [
      'empty lines',
      'A,1\n\n , \r\nB,2',
      [
        ['A', '1'],
        ['B', '2'],
      ],
    ],
    [
      'signs of several bytes',
      'код-🦊,1\nб,2',
      [
        ['код-🦊', '1'],
        ['б', '2'],
      ],
    ],
    [
      'quotes in the middle of a cell',
      'A"B,1\nC,2',
      [
        ['A"B', '1'],
        ['C', '2'],
      ],
    ],
  ])('with %s', async (_name, text, cells) => {
    expect(await readCells(new Blob([text]))).toEqual(cells)
  })

  test('has line breaks, separators and doubled quotes in quoted cells, and counts its lines as an editor does', async () => {
    const text = 'code,note\r\n"login: a\r\npassword: ""b"", c",1\r\n"x" ,2\r\n'
    expect(await read(new Blob([text]))).toEqual([
      { line: 1, cells: ['code', 'note'] },
      { line: 2, cells: ['login: a\npassword: "b", c', '1'] },
      { line: 4, cells: ['x', '2'] },
    ])
  })

  test('marks a row in which something stands behind a closing quote', async () => {
    const [torn, fine] = await read(new Blob(['"A"B,1\nC,2']))
    expect([torn?.isTorn, fine?.isTorn]).toEqual([true, undefined])
  })

  test('names the line of a quote that is never closed', async () => {
    await expect(read(new Blob(['A,1\nB,2\n"C,3\nD,4']))).rejects.toMatchObject({ reason: 'open_quote', line: 3 })
    const long = `A,1\n"B,2\n${'C,3\n'.repeat(50_000)}`
    await expect(openTable(new Blob([long]))).rejects.toMatchObject({ reason: 'open_quote', line: 2 })
  })

  const windows = (text: string) =>
    Uint8Array.from(text, (sign) => (sign.charCodeAt(0) < 128 ? sign.charCodeAt(0) : sign.charCodeAt(0) - 0x410 + 0xc0))

  test('may be in the Cyrillic of Windows, or what Excel calls Unicode', async () => {
    const table = await openTable(new Blob([windows('Код;Номинал\nA;1\nB;2')]))
    expect(table).toMatchObject({ kind: 'text', format: { encoding: 'windows-1251', separator: ';' } })
    expect(await rowsIn(table)).toMatchObject([
      { cells: ['Код', 'Номинал'] },
      { cells: ['A', '1'] },
      { cells: ['B', '2'] },
    ])
    const unicode = new Uint8Array(Buffer.from('\uFEFFКод\tНоминал\nA\t1', 'utf16le'))
    expect(await readCells(new Blob([unicode]))).toEqual([
      ['Код', 'Номинал'],
      ['A', '1'],
    ])
  })

  test('can be read with another separator', async () => {
    expect(await readCells(new Blob(['A,1\nB,2']), { separator: '' })).toEqual([['A,1'], ['B,2']])
  })

  test('is read the same in pieces of any size', async () => {
    const bytes = new TextEncoder().encode('"a\r\n""б""",1\r\n🦊,2\r\n')
    for (const size of [1, 2, 3, 7]) {
      const stream = () =>
        new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
            controller.close()
          },
        })
      const file = { size: bytes.length, stream, slice: () => new Blob([bytes.slice(0, 8)]) } as unknown as Blob
      expect(await readCells(file)).toEqual([
        ['a\n"б"', '1'],
        ['🦊', '2'],
      ])
    }
  })

  test('of as many rows as may be is read, and of one more is not', async () => {
    const rows = (count: number) => new Blob(['A,1\n'.repeat(count)])
    expect(await read(rows(LIMITS.importLinesMax + 1))).toHaveLength(LIMITS.importLinesMax + 1)
    await expect(read(rows(LIMITS.importLinesMax + 2))).rejects.toMatchObject({ reason: 'too_many_lines' })
  })

  test.each([
    ['a picture', new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])]), 'not_text'],
    ['a line without an end', new Blob(['x'.repeat(100_000)]), 'not_text'],
    ['an old workbook', new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1])]), 'old_excel'],
    ['what only begins like a workbook', new Blob(['PK\u0003\u0004 and nothing more']), 'not_xlsx'],
  ])('%s is refused', async (_name, file, reason) => {
    await expect(openTable(file)).rejects.toMatchObject({ reason })
  })

  test('of two gigabytes is refused before any of it is read', async () => {
    const stream = () => {
      throw new Error('it was read')
    }
    const huge = { size: 2 ** 31, stream, slice: stream } as unknown as Blob
    await expect(openTable(huge)).rejects.toMatchObject({ reason: 'too_big' })
  })
})

/** Packs files as a ZIP, as spreadsheets do. */
function zip(files: Readonly<Record<string, string | Uint8Array>>): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(crc32(bytes), 16)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    directory.push(new Uint8Array(Buffer.concat([entry, Buffer.from(name)])))
    parts.push(new Uint8Array(Buffer.concat([header, Buffer.from(name), packed])))
    offset += header.length + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  return new Blob([...parts, ...directory, new Uint8Array(end)])
}

const book = (sheets: string, more = '') => `<workbook>${more}<sheets>${sheets}</sheets></workbook>`
const relations = (count: number) =>
  `<Relationships>${Array.from({ length: count }, (_, at) => `<Relationship Id="r${at + 1}" Type="worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`
const oneSheet = '<sheet name="Codes" sheetId="1" r:id="r1"/>'
const styles = `<styleSheet><numFmts count="2"><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="166" formatCode="000000"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"><alignment/></xf><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="4"/></cellXfs></styleSheet>`

const workbook = (sheet: string, more: Record<string, string> = {}) =>
  zip({
    'xl/workbook.xml': book(oneSheet),
    'xl/_rels/workbook.xml.rels': relations(1),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  })

describe('a workbook', () => {
  test('has texts, numbers and days in its cells, and gaps between them', async () => {
    const file = workbook(
      `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
       <row r="3" spans="1:9"><c r="A3" t="inlineStr"><is><t xml:space="preserve"> ABC-1 </t></is></c><c r="B3" s="4"><v>4.9900000000000002</v></c><c r="C3" s="1"><v>46752</v></c></row>
       <row r="4"><c r="A4" t="str"><f>"A"&amp;"B"</f><v>AB</v></c><c r="B4"/><c r="C4" s="2"><v>46753.5</v></c><c r="D4" s="3"><v>42</v></c></row>
       <row r="5"/>`,
      {
        'xl/sharedStrings.xml':
          '<sst><si><t>Код &amp; PIN&#10;вместе</t></si><si><r><t>Сро</t></r><r><rPr><b/></rPr><t xml:space="preserve">к</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si></sst>',
      },
    )
    expect(await read(file)).toEqual([
      { line: 1, cells: ['Код & PIN\nвместе', '', 'Срок'] },
      { line: 3, cells: ['ABC-1', '4.99', '2027-12-31'] },
      { line: 4, cells: ['AB', '', '2028-01-01', '000042'] },
    ])
  })

  test('tells numbers whose digits Excel has cut off', async () => {
    const [row] = await read(
      workbook('<row r="1"><c r="A1"><v>1.2345678901234561E+18</v></c><c r="B1"><v>123456789012345</v></c></row>'),
    )
    expect(row).toEqual({ line: 1, cells: ['1234567890123456000', '123456789012345'], cut: [0] })
  })

  test('counts days from 1904 where it says so, and has prefixes in its tags', async () => {
    const file = zip({
      'xl/workbook.xml': `<x:workbook xmlns:x="main"><x:workbookPr date1904="1"/><x:sheets>${oneSheet.replace('<sheet', '<x:sheet')}</x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels': relations(1).replace('worksheets/', '/xl/worksheets/'),
      'xl/styles.xml': styles,
      'xl/worksheets/sheet1.xml':
        '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" s="1"><x:v>45290</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    })
    expect(await readCells(file)).toEqual([['2027-12-31']])
  })

  test('has sheets to choose from; hidden ones are not shown', async () => {
    const file = zip({
      'xl/workbook.xml': book(
        '<sheet name="Read &amp; me" r:id="r1"/><sheet name="Secret" state="hidden" r:id="r2"/><sheet name="Codes" r:id="r3"/>',
      ),
      'xl/_rels/workbook.xml.rels': relations(3),
      ...Object.fromEntries(
        [1, 2, 3].map((n) => [
          `xl/worksheets/sheet${n}.xml`,
          `<worksheet><sheetData><row><c t="inlineStr"><is><t>sheet ${n}</t></is></c></row></sheetData></worksheet>`,
        ]),
      ),
    })
    expect(await openTable(file)).toMatchObject({ kind: 'sheets', names: ['Read & me', 'Codes'], chosen: 0 })
    expect(await readCells(file, { sheet: 1 })).toEqual([['sheet 3']])
  })

  test('that unpacks into far more than a list of codes is refused on the way', async () => {
    const sheet = `<worksheet><sheetData><row r="1">${' '.repeat(3_000_000)}`
    const bomb = workbook('', { 'xl/worksheets/sheet1.xml': sheet + ' '.repeat(3_000_000) })
    expect(bomb.size).toBeLessThan(20_000)
    await expect(openTable(bomb)).rejects.toMatchObject({ reason: 'too_big_inside' })
    // Each row is short and complete, so only the sum of them tells.
    const blank = Buffer.alloc(ADMIN_LIMITS.unpackedBytes + 1_000_000, `<row>${' '.repeat(2_000)}</row>`)
    const rows = zip({
      'xl/workbook.xml': book(oneSheet),
      'xl/_rels/workbook.xml.rels': relations(1),
      'xl/worksheets/sheet1.xml': new Uint8Array(blank),
    })
    expect(rows.size).toBeLessThan(1_000_000)
    await expect(openTable(rows)).rejects.toMatchObject({ reason: 'too_big_inside' })
  })

  test('with a thousand beginnings and no end is read once from each, not again and again', async () => {
    const begun = performance.now()
    await expect(openTable(workbook(`<row>${'<c r="A1">'.repeat(300_000)}`))).resolves.toMatchObject({ columns: 0 })
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test.each([
    ['that is cut off', async () => (await workbook('').arrayBuffer()).slice(0, 200)],
    ['without sheets', async () => zip({ 'word/document.xml': '<w/>' }).arrayBuffer()],
    [
      'whose data are damaged',
      async () => {
        const bytes = new Uint8Array(await workbook('<row r="1"/>').arrayBuffer())
        return bytes.fill(0xff, 46, 80).buffer
      },
    ],
  ])('%s is refused', async (_name, file) => {
    await expect(openTable(new Blob([await file()]))).rejects.toMatchObject({ reason: 'not_xlsx' })
  })
})

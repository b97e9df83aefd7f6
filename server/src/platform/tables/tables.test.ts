import { inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Table, toMoneyText, writeCsv, writeXlsx } from './table.ts'

interface Row {
  text: string | null
  count: number | null
  minor: number | null
  at: Date | null
}

const toTable = (...pages: Row[][]): Table<Row> => ({
  title: 'Sold [all]',
  timeZone: 'Asia/Tashkent',
  columns: [
    { kind: 'text', title: 'Text', read: (row) => row.text },
    { kind: 'number', title: 'Count', read: (row) => row.count },
    { kind: 'money', title: 'Sum', read: (row) => row.minor },
    { kind: 'time', title: 'At', read: (row) => row.at },
  ],
  pages: (async function* () {
    yield* pages
  })(),
})

const row = (text: string | null, minor: number | null = null): Row => ({ text, count: 3, minor, at: null })
const midnight = new Date('2026-11-23T19:00:00Z')

async function join(pieces: AsyncIterable<string | Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(Buffer.from(piece))
  return Buffer.concat(all)
}

/** Reads the archive by its directory, as a spreadsheet does. */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, plain] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.readUInt32LE(local)).toBe(0x04034b50)
    const content = inflateRawSync(archive.subarray(local + 30 + nameLength, local + 30 + nameLength + packed))
    expect(content.length).toBe(plain)
    files.set(name, content.toString())
    at += 46 + nameLength
  }
  return files
}

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [1_250, '12.50'],
  [-123_456_789_012, '-1234567890.12'],
])('%i minor units are %s', (minor, text) => {
  expect(toMoneyText(minor)).toBe(text)
})

test('CSV has times by the wall clock and money as decimals, and no formula among texts', async () => {
  const table = toTable([row('=1+1', -5), { text: '+49\t', count: null, minor: 1_250, at: midnight }], [row('\rx')])
  expect((await join(writeCsv(table))).toString()).toBe(
    "\uFEFFText,Count,Sum,At\r\n'=1+1,3,-0.05,\r\n'+49\t,,12.50,2026-11-24 00:00:00\r\n\"'\rx\",3,,\r\n",
  )
})

test('a workbook has numbers and times as such, and texts that are never formulas', async () => {
  const files = unzip(
    await join(
      writeXlsx(toTable([row('=1+1', -5), { text: '<a> & "b"\u0007', count: null, minor: 1_250, at: midnight }])),
    ),
  )
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? ''
  expect(sheet).toContain('<is><t xml:space="preserve">=1+1</t></is>')
  expect(sheet).not.toContain('<f>')
  expect(sheet).toContain('&lt;a&gt; &amp; &quot;b&quot;<')
  expect(sheet).toContain('<v>-0.05</v>')
  expect(sheet).toContain('<v>12.50</v>')
  // 24 November 2026 in Excel's calendar.
  expect(sheet).toContain('<c s="2"><v>46350</v></c>')
  expect(files.get('xl/workbook.xml')).toContain('<sheet name="Sold  all " sheetId="1" r:id="rId1"/>')
  expect([...files.keys()]).toContain('[Content_Types].xml')
})

test('rows that a sheet has no room for go on in the next one, under the same heading', async () => {
  const files = unzip(await join(writeXlsx(toTable([row('a'), row('b')], [row('c')], [row('d'), row('e')]), 3)))
  const texts = (sheet: number) =>
    [...(files.get(`xl/worksheets/sheet${sheet}.xml`) ?? '').matchAll(/preserve">(\w+)</g)].map(([, text]) => text)
  const heading = ['Text', 'Count', 'Sum', 'At']
  expect([1, 2, 3].map(texts)).toEqual([
    [...heading, 'a', 'b'],
    [...heading, 'c', 'd'],
    [...heading, 'e'],
  ])
  expect(files.get('[Content_Types].xml')).toContain('/xl/worksheets/sheet3.xml')
  expect(files.has('xl/worksheets/sheet4.xml')).toBe(false)
})

test('what fails while it is read fails the file, and who stops reading ends the source', async () => {
  const broken = {
    ...toTable(),
    pages: (async function* () {
      yield [row('a')]
      throw new Error('gone')
    })(),
  }
  await expect(join(writeXlsx(broken))).rejects.toThrow('gone')

  let isEnded = false
  const pages = (async function* () {
    try {
      while (true) yield Array.from({ length: 1_000 }, (_, index) => row(String(Math.sqrt(index))))
    } finally {
      isEnded = true
    }
  })()
  for await (const piece of writeXlsx({ ...toTable(), pages })) if (piece.length > 1_000) break
  await expect.poll(() => isEnded).toBe(true)
})

import type { ImportReport } from '@olmos/contract/codes'
import { describe, expect, test, vi } from 'vitest'
import { ADMIN_LIMITS } from '../limits.ts'
import { checkRows, type Source } from './check-rows.ts'
import { guessMapping, isRejected, type Reason, rowReader } from './mapping.ts'
import { openTable } from './read-table.ts'
import { toRejectedFile } from './rejected-file.ts'
import { nothingSent, type Part, type SendPart, type Sent, sendRows } from './send-rows.ts'

const { signal } = new AbortController()
const titles = { line: 'Line', reason: 'Reason' }
const noChange: ImportReport = {
  added: 0,
  batch_id: 7,
  duplicates: [],
  elsewhere: [],
  invalid: [],
  price_changes: [],
}

async function toSource(text: string): Promise<Source> {
  const table = await openTable(new Blob([text]))
  const isOwn = isRejected(table.first, titles)
  const mapping = guessMapping(table.first, table.columns, isOwn)
  const read = rowReader({
    mapping,
    isOwn,
    gameAmount: undefined,
    amounts: new Map(),
    currencies: ['USD'],
    today: '2026-11-26',
  })
  return { table, mapping, isOwn, read }
}

async function sendAll(text: string, send: SendPart, { from = nothingSent, isRehearsal = false } = {}) {
  const source = await toSource(text)
  const checked = await checkRows(source, signal)
  const progress: Sent[] = []
  const onProgress = (now: Sent) => void progress.push(now)
  return { source, checked, progress, sent: sendRows({ source, checked, from, isRehearsal, send, onProgress, signal }) }
}

const size = ADMIN_LIMITS.partLines
const toLines = (length: number) => Array.from({ length }, (_, n) => `CODE-${n},1,80,60`).join('\n')
const manyLines = toLines(size * 2 + 3)

describe('rows are sent', () => {
  test('in parts that follow one another into one import', async () => {
    const parts: { rows: number; first: number | undefined; batchId: number | undefined }[] = []
    const { sent } = await sendAll(manyLines, async ({ rows, batchId }) => {
      parts.push({ rows: rows.length, first: rows[0]?.line, batchId })
      return { ...noChange, added: rows.length - 1, duplicates: [rows[1]?.line ?? 0] }
    })
    const reached = await sent
    expect(parts).toEqual([
      { rows: size, first: 1, batchId: undefined },
      { rows: size, first: size + 1, batchId: 7 },
      { rows: 3, first: 2 * size + 1, batchId: 7 },
    ])
    expect(reached).toMatchObject({ added: 2 * size, rows: 2 * size + 3, parts: new Set([0, 1, 2]) })
    expect([...reached.reasons]).toEqual([2, size + 2, 2 * size + 2].map((line) => [line, 'in_stock']))
  })

  test('without those that were found wrong, and with the reasons the store gives', async () => {
    const text = ['code,amount', 'A,60', ',60', 'B,x', 'A,60', 'C,60', 'D,61', 'E,60'].join('\n')
    const sentParts: Part[] = []
    const { checked, sent } = await sendAll(text, async (part) => {
      sentParts.push(part)
      return {
        ...noChange,
        added: 1,
        duplicates: [6, 8],
        elsewhere: [8],
        invalid: [{ line: 7, reason: 'price_missing' }],
      }
    })
    expect(checked).toMatchObject({ rows: 7, valid: 4, batches: 1 })
    expect([...checked.reasons]).toEqual([
      [3, 'code_missing'],
      [4, 'amount_unknown'],
      [5, 'repeated'],
    ])
    expect([...(await sent).reasons]).toEqual([
      [6, 'in_stock'],
      [8, 'other_product'],
      [7, 'price_missing'],
    ])
    expect(sentParts.map(({ rows }) => rows.map(({ code }) => code))).toEqual([['A', 'C', 'D', 'E']])
  })

  test('with an amount having one price', async () => {
    const { checked } = await sendAll('A,1,80,60\nB,2,160,60\nC,1,80,60\nD,2,160,61', async () => noChange)
    expect([...checked.reasons]).toEqual([[2, 'price_differs_within_import']])
  })

  test('as an import for each cost and each day of expiry, also where they alternate', async () => {
    const text = [
      'code,amount,expires,cost',
      'A,60,2027-01-01,1',
      'B,60,2027-02-01,1',
      'C,60,2027-01-01,1',
      'D,60,,',
    ].join('\n')
    let next = 0
    const parts: [string[], object][] = []
    const { checked, sent } = await sendAll(text, async ({ rows, bought }) => {
      parts.push([rows.map(({ code }) => code), bought])
      return { ...noChange, added: rows.length, batch_id: ++next }
    })
    expect(parts).toEqual([])
    await sent
    expect(checked.batches).toBe(3)
    expect(parts).toEqual([
      [['A', 'C'], { expires_on: '2027-01-01', cost: '1', currency: 'USD' }],
      [['B'], { expires_on: '2027-02-01', cost: '1', currency: 'USD' }],
      [['D'], {}],
    ])
    expect([...(await sent).batches.values()]).toEqual([1, 2, 3])
  })

  test('several parts at a time, once the number of their import is known', async () => {
    const { partsAtOnce } = ADMIN_LIMITS
    const inParts = (parts: number) => toLines(size * (parts - 1) + 3)
    const toFirstLine = (part: number) => part * size + 1
    const underWay: { first: number | undefined; answer(): void }[] = []
    const firsts = () => underWay.map(({ first }) => first)
    const send: SendPart = ({ rows }) =>
      new Promise((answered) => {
        underWay.push({
          first: rows[0]?.line,
          answer: () => answered({ ...noChange, added: rows.length }),
        })
      })
    const begun = await sendAll(inParts(partsAtOnce + 1), send)
    await vi.waitUntil(() => underWay.length > 0)
    underWay.shift()?.answer()
    await vi.waitUntil(() => underWay.length === partsAtOnce)
    expect(firsts()).toEqual(Array.from({ length: partsAtOnce }, (_, at) => toFirstLine(at + 1)))
    for (const { answer } of underWay.splice(0).toReversed()) answer()
    expect(await begun.sent).toMatchObject({ added: partsAtOnce * size + 3, rows: partsAtOnce * size + 3 })

    const rehearsed = await sendAll(inParts(partsAtOnce + 1), send, { isRehearsal: true })
    await vi.waitUntil(() => underWay.length === partsAtOnce)
    expect(firsts()).toEqual(Array.from({ length: partsAtOnce }, (_, at) => toFirstLine(at)))
    for (const { answer } of underWay.splice(0)) answer()
    await vi.waitUntil(() => underWay.length === 1)
    expect(firsts()).toEqual([toFirstLine(partsAtOnce)])
    underWay.shift()?.answer()
    expect(await rehearsed.sent).toMatchObject({ added: partsAtOnce * size + 3 })
  })

  test('after a failure from where it was, without those that were done meanwhile', async () => {
    let isBroken = true
    const batchIds: (number | undefined)[] = []
    const lastBegan = Promise.withResolvers<void>()
    const send: SendPart = async ({ rows, batchId }) => {
      if (rows.length < size) lastBegan.resolve()
      if (rows[0]?.code === `CODE-${size}` && isBroken) {
        await lastBegan.promise
        throw new Error('no connection')
      }
      batchIds.push(batchId)
      return { ...noChange, added: rows.length }
    }
    const begun = await sendAll(manyLines, send)
    await expect(begun.sent).rejects.toThrow('no connection')
    const reached = begun.progress.at(-1)
    expect(reached).toMatchObject({ rows: size + 3, parts: new Set([0, 2]) })
    isBroken = false
    const { sent, progress } = await sendAll(manyLines, send, { from: reached })
    expect((await sent).added).toBe(size * 2 + 3)
    expect(progress).toHaveLength(1)
    expect(batchIds).toEqual([undefined, 7, 7])
  })

  test('not at all after one that failed before its import had a number', async () => {
    let calls = 0
    const { sent } = await sendAll(manyLines, async () => {
      calls++
      throw new Error('no connection')
    })
    await expect(sent).rejects.toThrow('no connection')
    expect(calls).toBe(1)
  })

  test('not at all when they would become too many imports', async () => {
    const lines = Array.from({ length: ADMIN_LIMITS.batchesMax + 1 }, (_, n) => `A-${n},60,${n + 1}`)
    await expect(sendAll(['code,amount,cost', ...lines].join('\n'), async () => noChange)).rejects.toThrow()
  })
})

describe('a file of rejected rows', () => {
  const texts = {
    ...titles,
    column: (place: number) => `Column ${place + 1}`,
    says: (reason: Reason) => `it is ${reason}`,
  }
  const reject = async (text: string, reasons: [number, Reason][]) =>
    toRejectedFile(await toSource(text), new Map(reasons), texts)

  test('has them as they were, their lines and why, and nothing that a spreadsheet runs', async () => {
    const text = 'code;amount;note\n"=cmd()\n-1";60;"a;b"\nB;60;\n@C;60;x'
    expect(
      await reject(text, [
        [2, 'in_stock'],
        [5, 'expired'],
      ]),
    ).toBe(
      '\uFEFFcode,amount,note,Line,Reason\r\n"\'=cmd()\n\'-1",60,"a;b",2,it is in_stock\r\n\'@C,60,x,5,it is expired\r\n',
    )
  })

  test('names the columns of a file without titles', async () => {
    expect(await reject('A,1,80,60', [[1, 'in_stock']])).toMatch(
      /^\uFEFFColumn 1,Column 2,Column 3,Column 4,Line,Reason\r\n/,
    )
  })

  test('can be mended and imported: the codes are what they were', async () => {
    const text = 'code,amount\n=A-1,x\n"B\n+2",y\n'
    const file = await reject(text, [
      [2, 'amount_unknown'],
      [3, 'amount_unknown'],
    ])
    const mended = file.replace(',x,', ',60,').replace(',y,', ',61,')
    const codes: string[] = []
    const { checked, sent, source } = await sendAll(mended, async ({ rows }) => {
      codes.push(...rows.map(({ code }) => code))
      return noChange
    })
    await sent
    expect([source.isOwn, checked.reasons.size, codes]).toEqual([true, 0, ['=A-1', 'B\n+2']])
  })
})

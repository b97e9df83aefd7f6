import type { ImportReport } from '@olmos/contract/codes'
import { expect, test } from 'vitest'
import { WEB_LIMITS } from '../../limits.ts'
import { checkLines } from './check-lines.ts'
import { nothingSent, type SendPart, type Sent, sendLines } from './send-lines.ts'

const { signal } = new AbortController()
const noChange: ImportReport = { added: 0, batch_id: 7, duplicates: [], invalid: [], price_changes: [] }

async function sendAll(lines: string[], send: SendPart, from = nothingSent) {
  const text = new Blob([lines.join('\n')])
  const checked = await checkLines(text, signal)
  const progress: Sent[] = []
  const sent = await sendLines({ text, checked, from, send, onProgress: (now) => progress.push(now), signal })
  return { sent, progress }
}

const manyLines = Array.from({ length: WEB_LIMITS.importPartLines * 2 + 3 }, (_, n) => `CODE-${n},1,80,60`)

test('parts follow one another into one batch, and their line numbers are those of the whole', async () => {
  const calls: { lines: number; batchId: number | undefined }[] = []
  const { sent } = await sendAll(manyLines, async (lines, batchId) => {
    calls.push({ lines: lines.length, batchId })
    return { ...noChange, added: lines.length - 1, duplicates: [2] }
  })
  const part = WEB_LIMITS.importPartLines
  expect(calls).toEqual([
    { lines: part, batchId: undefined },
    { lines: part, batchId: 7 },
    { lines: 3, batchId: 7 },
  ])
  expect(sent).toMatchObject({ added: manyLines.length - 3, inStock: 3, batchId: 7, lines: manyLines.length })
  expect(sent.problems.map(({ line }) => line)).toEqual([2, part + 2, 2 * part + 2])
})

test('what is wrong is left out, and a price change is told once', async () => {
  const change = {
    game_amount: 60,
    price_usd: 1,
    price_rub: 80,
    was_usd: null,
    was_rub: null,
    rub_at_rate: 80,
    doubts: [],
  }
  const seen: string[][] = []
  const { sent } = await sendAll(['A,1,80,60', 'B', 'A,1,80,60', ...manyLines], async (lines) => {
    seen.push(lines.slice(0, 3))
    return { ...noChange, price_changes: [change] }
  })
  expect(seen[0]).toEqual(['A,1,80,60', '', ''])
  expect(sent.priceChanges).toEqual([change])
})

test('after a failure it goes on where it was', async () => {
  let isBroken = true
  const send: SendPart = async (lines) => {
    if (lines[0] === `CODE-${WEB_LIMITS.importPartLines},1,80,60` && isBroken) throw new Error('no connection')
    return { ...noChange, added: lines.length }
  }
  let reached = nothingSent
  const text = new Blob([manyLines.join('\n')])
  const checked = await checkLines(text, signal)
  const onProgress = (now: Sent) => {
    reached = now
  }
  const begun = sendLines({ text, checked, from: nothingSent, send, onProgress, signal })
  await expect(begun).rejects.toThrow('no connection')
  expect(reached).toMatchObject({ lines: WEB_LIMITS.importPartLines, batchId: 7 })
  isBroken = false
  const { sent, progress } = await sendAll(manyLines, send, reached)
  expect(progress).toHaveLength(2)
  expect(sent.added).toBe(manyLines.length)
})

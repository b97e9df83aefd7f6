import { byteOrderMark, toCsv } from '@olmos/contract/csv'
import { rowsBelow, type Source } from './check-rows.ts'
import type { Reason } from './mapping.ts'

interface Texts {
  /** The titles of the two columns that are added. */
  line: string
  reason: string
  /** A column that has no title in the file. */
  column(place: number): string
  says(reason: Reason): string
}

/**
 * Formats the rows that were not imported as a file: as they were, with their lines and the reasons behind them. It can be
 * mended and imported, and a spreadsheet runs nothing of it.
 */
export async function toRejectedFile(
  source: Source,
  reasons: ReadonlyMap<number, Reason>,
  texts: Texts,
): Promise<string> {
  const { table, mapping, isOwn } = source
  const places = Array.from({ length: isOwn ? table.columns - 2 : table.columns }, (_, place) => place)
  const titles = places.map(
    (place) => (mapping.hasHeader ? table.first[0]?.cells[place] : undefined) ?? texts.column(place),
  )
  const parts = [byteOrderMark + toCsv([[...titles, texts.line, texts.reason]])]
  for await (const rows of rowsBelow(source)) {
    const rejected = rows.flatMap(({ line, cells }) => {
      const reason = reasons.get(line)
      return reason ? [[...places.map((place) => cells[place] ?? ''), line, texts.says(reason)]] : []
    })
    parts.push(toCsv(rejected))
  }
  return parts.join('')
}

import type { Language } from '@olmos/contract/fields'
import { evidenceTexts } from './evidence-texts.ts'

export type Cell = string | number | null

export interface EvidenceTable {
  title: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/** What a part of the file holds: facts by their name, or a table. */
export type EvidencePart = { title: string; facts: readonly (readonly [string, Cell])[] } | EvidenceTable

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Nicknames, accounts and reasons are strangers' words: none of them becomes markup. */
const escaped = (text: Cell): string => String(text ?? '').replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)

const shown = (cell: Cell): string => (cell === null || cell === '' ? '&ndash;' : escaped(cell))

const style = `body{font:14px/1.5 system-ui,sans-serif;color:#14181f;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{border:1px solid #c9ced6;padding:.35rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere;white-space:pre-line}
th{background:#f2f4f7;font-weight:600}p{color:#4a5361}`

const rowOf = (tag: 'td' | 'th', cells: readonly Cell[]): string =>
  `<tr>${cells.map((cell) => `<${tag}>${shown(cell)}</${tag}>`).join('')}</tr>`

function partOf(part: EvidencePart, empty: string): string {
  const title = `<h2>${escaped(part.title)}</h2>`
  if ('facts' in part) {
    const rows = part.facts.map(
      ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${shown(value)}</td></tr>`,
    )
    return `${title}<table>${rows.join('')}</table>`
  }
  if (part.rows.length === 0) return `${title}<p>${escaped(empty)}</p>`
  return `${title}<table>${rowOf('th', part.columns)}${part.rows.map((row) => rowOf('td', row)).join('')}</table>`
}

/** One file that needs nothing else: no script, no picture, no other address. */
export function evidencePage(
  language: Language,
  { title, lead, parts }: { title: string; lead: string; parts: readonly EvidencePart[] },
): string {
  const body = parts.map((part) => partOf(part, evidenceTexts[language].none)).join('\n')
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><h1>${escaped(title)}</h1><p>${escaped(lead)}</p>
${body}
</body></html>
`
}

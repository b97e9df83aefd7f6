import { type ImportLine, type InvalidLine, importReader } from '@olmos/contract/import-lines'

export interface ParsedImport {
  valid: ImportLine[]
  invalid: InvalidLine[]
  /** Lines whose code stands in an earlier line. */
  repeated: number[]
}

/** Reads a whole import. Empty lines are passed over; a byte order mark and Windows line ends do no harm. */
export function parseImport(lines: string | readonly string[]): ParsedImport {
  const texts = typeof lines === 'string' ? lines.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/) : lines
  const parsed: ParsedImport = { valid: [], invalid: [], repeated: [] }
  const read = importReader()
  texts.forEach((text, index) => {
    const result = read(text, index + 1)
    if (result.kind === 'valid') parsed.valid.push(result.line)
    if (result.kind === 'invalid') parsed.invalid.push(result.line)
    if (result.kind === 'repeated') parsed.repeated.push(index + 1)
  })
  return parsed
}

import type { InvalidLine } from '@olmos/contract/import-lines'
import { LIMITS } from '@olmos/contract/limits'
import { isStorable } from '@olmos/contract/storable'

export interface ParsedPool {
  valid: { line: number; code: string }[]
  invalid: InvalidLine[]
  /** Lines whose code stands in an earlier line. */
  repeated: number[]
}

/** Reads one code a line. Empty lines are passed over; a byte order mark and Windows line ends do no harm. */
export function parsePool(lines: string | readonly string[]): ParsedPool {
  const texts = typeof lines === 'string' ? lines.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/) : lines
  const parsed: ParsedPool = { valid: [], invalid: [], repeated: [] }
  const seen = new Set<string>()
  texts.forEach((text, index) => {
    const code = text.trim()
    const line = index + 1
    if (code === '') return
    if (!isStorable(code) || /[\r\n•]/.test(code)) parsed.invalid.push({ line, reason: 'code_missing' })
    else if (code.length > LIMITS.codeLengthMax) parsed.invalid.push({ line, reason: 'code_too_long' })
    // A line of the other import: as a code it would be spent, and refused, as a whole.
    else if (/[,;\t]/.test(code)) parsed.invalid.push({ line, reason: 'wrong_columns' })
    else if (seen.has(code)) parsed.repeated.push(line)
    else {
      seen.add(code)
      parsed.valid.push({ line, code })
    }
  })
  return parsed
}

import type { LineReason } from '@olmos/contract/codes'
import { isStorable } from '@olmos/contract/fields'
import { LIMITS } from '@olmos/contract/limits'

export interface ImportLine {
  /** From 1. */
  line: number
  code: string
  /** Minor units. */
  priceUsd: number
  priceRub: number
  gameAmount: number
}

export interface InvalidLine {
  line: number
  reason: LineReason
}

export interface ParsedImport {
  valid: ImportLine[]
  invalid: InvalidLine[]
  /** Lines whose code stands in an earlier line. */
  repeated: number[]
}

/** Digits with at most two decimals, as minor units. Undefined when it is no price above zero. */
export function parsePrice(text: string): number | undefined {
  const match = /^(\d{1,8})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return undefined
  const minor = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return minor > 0 && minor <= LIMITS.amountMax ? minor : undefined
}

function parseGameAmount(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined
  const amount = Number(text)
  return amount > 0 && amount <= LIMITS.gameAmountMax ? amount : undefined
}

/** A quoted field may hold commas; a doubled quote inside it is one. */
const unquoted = (text: string): string => {
  const field = text.trim()
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"').trim() : field
}

/**
 * Four fields, each in quotes or without a comma and a quote at its start. A comma too many is refused: it may as well
 * stand in a price, and '1,500.00' read as two columns would sell for 1.
 */
const field = String.raw`\s*("(?:[^"]|"")*"\s*|[^",\s][^,]*|)`
const columns = new RegExp(`^${[field, field, field, field].join(',')}$`)

function parseLine(text: string, line: number): ImportLine | InvalidLine {
  const [, codeField, usdField, rubField, amountField] = columns.exec(text) ?? []
  if (codeField === undefined || usdField === undefined || rubField === undefined || amountField === undefined) {
    return { line, reason: 'wrong_columns' }
  }
  const code = unquoted(codeField)
  if (code === '' || !isStorable(code)) return { line, reason: 'code_missing' }
  if (code.length > LIMITS.codeLengthMax) return { line, reason: 'code_too_long' }
  const priceUsd = parsePrice(unquoted(usdField))
  if (priceUsd === undefined) return { line, reason: 'price_usd_invalid' }
  const priceRub = parsePrice(unquoted(rubField))
  if (priceRub === undefined) return { line, reason: 'price_rub_invalid' }
  const gameAmount = parseGameAmount(unquoted(amountField))
  if (gameAmount === undefined) return { line, reason: 'game_amount_invalid' }
  return { line, code, priceUsd, priceRub, gameAmount }
}

/**
 * Reads an import: a code, price USD, price RUB and game amount a line, separated by commas. Empty lines are passed
 * over; a byte order mark and Windows line ends do no harm. One amount has one price within an import.
 */
export function parseImport(lines: string | readonly string[]): ParsedImport {
  const texts = typeof lines === 'string' ? lines.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/) : lines
  const parsed: ParsedImport = { valid: [], invalid: [], repeated: [] }
  const seen = new Set<string>()
  const prices = new Map<number, ImportLine>()

  texts.forEach((text, index) => {
    if (text.trim() === '') return
    const result = parseLine(text, index + 1)
    if ('reason' in result) {
      parsed.invalid.push(result)
      return
    }
    if (seen.has(result.code)) {
      parsed.repeated.push(result.line)
      return
    }
    const first = prices.get(result.gameAmount) ?? result
    if (first.priceUsd !== result.priceUsd || first.priceRub !== result.priceRub) {
      parsed.invalid.push({ line: result.line, reason: 'price_differs_within_import' })
      return
    }
    prices.set(result.gameAmount, first)
    seen.add(result.code)
    parsed.valid.push(result)
  })
  return parsed
}

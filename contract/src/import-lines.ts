import type { LineReason } from './codes.ts'
import * as LIMITS from './limits.ts'
import { isStorable } from './storable.ts'

export interface ImportLine {
  /** From 1. */
  line: number
  code: string
  /** In minor units. */
  priceUsd: number
  priceRub: number
  gameAmount: number
}

export interface InvalidLine {
  line: number
  reason: LineReason
}

/** Parses digits with at most two decimals to minor units. Undefined unless it is a price above zero. */
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

/** A quoted field may contain commas; a doubled quote inside it is one. */
const unquoted = (text: string): string => {
  const field = text.trim()
  return field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"').trim() : field
}

/**
 * One of four fields, each in quotes, or without a comma or a leading quote. A comma too many is refused: it may be
 * part of a price, and '1,500.00' read as two columns would sell for 1.
 */
const field = String.raw`\s*("(?:[^"]|"")*"\s*|[^",\s][^,]*|)`
const columns = new RegExp(`^${[field, field, field, field].join(',')}$`)

function parseLine(text: string, line: number): ImportLine | InvalidLine {
  const [, codeField, usdField, rubField, amountField] = columns.exec(text) ?? []
  if (codeField === undefined || usdField === undefined || rubField === undefined || amountField === undefined) {
    return { line, reason: 'wrong_columns' }
  }
  const code = unquoted(codeField)
  // A mask, as lists show it, is not a code.
  if (code === '' || !isStorable(code) || code.includes('•')) return { line, reason: 'code_missing' }
  if (code.length > LIMITS.codeLengthMax) return { line, reason: 'code_too_long' }
  const priceUsd = parsePrice(unquoted(usdField))
  if (priceUsd === undefined) return { line, reason: 'price_usd_invalid' }
  const priceRub = parsePrice(unquoted(rubField))
  if (priceRub === undefined) return { line, reason: 'price_rub_invalid' }
  const gameAmount = parseGameAmount(unquoted(amountField))
  if (gameAmount === undefined) return { line, reason: 'game_amount_invalid' }
  return { line, code, priceUsd, priceRub, gameAmount }
}

type ReadLine =
  | { kind: 'valid'; line: ImportLine }
  | { kind: 'invalid'; line: InvalidLine }
  /** Its code appears in an earlier line. */
  | { kind: 'repeated' }
  | { kind: 'empty' }

/**
 * Reads the lines of one import in turn: code, price in USD, price in RUB and game amount, separated by commas. An
 * amount has one price within an import.
 */
export function importReader(): (text: string, number: number) => ReadLine {
  const seen = new Set<string>()
  const prices = new Map<number, ImportLine>()
  return (text, number) => {
    if (text.trim() === '') return { kind: 'empty' }
    const line = parseLine(text, number)
    if ('reason' in line) return { kind: 'invalid', line }
    if (seen.has(line.code)) return { kind: 'repeated' }
    const first = prices.get(line.gameAmount) ?? line
    if (first.priceUsd !== line.priceUsd || first.priceRub !== line.priceRub) {
      return { kind: 'invalid', line: { line: number, reason: 'price_differs_within_import' } }
    }
    prices.set(line.gameAmount, first)
    seen.add(line.code)
    return { kind: 'valid', line }
  }
}

import { type Decimal, divide, one, parseDecimal } from '@olmos/contract/decimal'
import type { RateSourceName } from '@olmos/contract/rates'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import type { Sql } from '../../platform/database/queries.ts'
import { userAgent } from '../../platform/vendor/vendor.ts'
import { shopTimeZone } from '../shop/shop.ts'

/** Computes how much of `to` one `from` is; undefined when the source lacks one of them. */
export function crossRate(quotes: ReadonlyMap<string, Decimal>, from: string, to: string): Decimal | undefined {
  const value = quotes.get(from)
  const unit = quotes.get(to)
  return value !== undefined && unit !== undefined ? divide(value, unit) : undefined
}

/** Converts '12.5' percent to 1250. */
export const inHundredths = (percent: string): number => Math.round(Number(percent) * 100)

const hundredths = 10_000n

/** Adds hundredths of a percent to a rate. */
export const withMarkup = (rate: Decimal, markup: number): Decimal =>
  (rate * (hundredths + BigInt(markup)) + hundredths / 2n) / hundredths

/** Whether a rate moved by more than so many hundredths of a percent, up or down. */
export function isJump(before: Decimal, after: Decimal, maxHundredths: number): boolean {
  const moved = after > before ? after - before : before - after
  return moved * hundredths > before * BigInt(maxHundredths)
}

/** What one unit of each currency is worth in the source's own. */
type Quotes = ReadonlyMap<string, Decimal>

export interface DayQuotes {
  quotes: Quotes
  /** The day the source set them for, at its beginning in UTC. */
  asOf: Date
}

/** Parses '20.07.2026' as the beginning of that day in UTC; undefined when there is no such day. */
function parseDay(text: string): Date | undefined {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? []
  const isoDay = `${year}-${month}-${day}`
  const at = new Date(`${isoDay}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return undefined
  // JavaScript reads 31 February as 3 March.
  return at.toISOString().startsWith(isoDay) ? at : undefined
}

/** A source of the day's rates. */
interface RateSource {
  /**
   * Reads what one unit of each currency is worth in the source's own, which is among them as 1, and since when.
   * Rejects when the source does not answer within ten seconds, or unreadably; nothing is changed then.
   */
  read(): Promise<DayQuotes>
}

const timeoutMs = 10_000
const bytesAtMost = 1_000_000
const redirectsAtMost = 3

/** Reads a small document of a source, within ten seconds in all. */
async function readDocument(address: string): Promise<ArrayBuffer> {
  const answer = await follow(new URL(address))
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of answer.body ?? []) {
    length += chunk.length
    if (length > bytesAtMost) throw new Error(`${address} answered more than ${bytesAtMost} bytes`)
    chunks.push(chunk)
  }
  return new Blob(chunks as BlobPart[]).arrayBuffer()
}

/**
 * Follows a few redirects, because a bank may move its list: to https, or within the machine that the shop was told to
 * ask, so that nobody on the way can answer in the bank's name.
 */
async function follow(start: URL): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  let at = start
  for (let redirects = 0; ; redirects++) {
    const answer = await fetch(at, { redirect: 'manual', signal, headers: { 'user-agent': userAgent } })
    const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
    if (location === null) return answer
    await answer.body?.cancel()
    const next = URL.parse(location, at)
    const isAllowed = next !== null && (next.protocol === 'https:' || next.origin === start.origin)
    if (!isAllowed || redirects === redirectsAtMost) throw new Error(`${at} redirects to ${location}`)
    at = next
  }
}

const cbrEntry =
  /<Valute\b[^>]*>[\s\S]*?<CharCode>([A-Z]{3})<\/CharCode>\s*<Nominal>(\d+)<\/Nominal>[\s\S]*?<Value>([\d,.]+)<\/Value>/g

const cbrDay = /<ValCurs\b[^>]*\bDate="([\d.]+)"/

/** Reads the daily list of the Bank of Russia: roubles for `Nominal` units, with a decimal comma. */
function parseCbr(xml: string): DayQuotes {
  const quotes = new Map<string, Decimal>([['RUB', one]])
  for (const [, code = '', nominal = '', value = ''] of xml.matchAll(cbrEntry)) {
    const units = parseDecimal(nominal)
    const worth = parseDecimal(value)
    if (units !== undefined && worth !== undefined) quotes.set(code, divide(worth, units))
  }
  if (!quotes.has('USD')) throw new Error('the list of the Bank of Russia has no dollar')
  const asOf = parseDay(cbrDay.exec(xml)?.[1] ?? '')
  if (asOf === undefined) throw new Error('the list of the Bank of Russia has no date')
  return { quotes, asOf }
}

/** Bank of Russia, https://www.cbr.ru/development/SXML/. The document is in windows-1251. */
const cbr = (baseUrl: string): RateSource => ({
  async read() {
    const bytes = await readDocument(`${baseUrl}/scripts/XML_daily.asp`)
    return parseCbr(new TextDecoder('windows-1251').decode(bytes))
  },
})

const cbuList = z.array(z.object({ Ccy: z.string(), Nominal: z.string(), Rate: z.string(), Date: z.string() }))

/** Reads the list of the Central Bank of Uzbekistan: soums for `Nominal` units, every value a text. */
function parseCbu(json: unknown): DayQuotes {
  const entries = cbuList.parse(json)
  const quotes = new Map<string, Decimal>([['UZS', one]])
  for (const { Ccy, Nominal, Rate } of entries) {
    const units = parseDecimal(Nominal)
    const worth = parseDecimal(Rate)
    if (units !== undefined && worth !== undefined) quotes.set(Ccy, divide(worth, units))
  }
  const dollar = entries.find(({ Ccy }) => Ccy === 'USD')
  if (!dollar || !quotes.has('USD')) throw new Error('the list of the Central Bank of Uzbekistan has no dollar')
  const asOf = parseDay(dollar.Date)
  if (asOf === undefined) throw new Error('the list of the Central Bank of Uzbekistan has no date')
  return { quotes, asOf }
}

/** Central Bank of Uzbekistan, https://cbu.uz/ru/arkhiv-kursov-valyut/veb-masteram/. */
const cbu = (baseUrl: string): RateSource => ({
  async read() {
    const bytes = await readDocument(`${baseUrl}/ru/arkhiv-kursov-valyut/json/`)
    return parseCbu(JSON.parse(new TextDecoder().decode(bytes)))
  },
})

export interface RateKeeping {
  /** Undefined for `fixed`, where rates are what an admin set. */
  sources: Readonly<Record<RateSourceName, RateSource | undefined>>
  /** The settings until an admin chooses otherwise. */
  defaults: { timezone: Sql; source: RateSourceName }
}

/** Configures where this installation gets its rates from. A new source is a function above and a line here. */
export const rateKeeping = (config: Config): RateKeeping => ({
  sources: { cbr: cbr(config.cbrBaseUrl), cbu: cbu(config.cbuBaseUrl), fixed: undefined },
  defaults: { source: config.ratesSource, timezone: shopTimeZone(config) },
})

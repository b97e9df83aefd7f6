import { type DayQuotes, type Decimal, divide, one, parseDay, parseDecimal } from '../rate.rules.ts'
import { type RateSource, readDocument } from '../rate-source.ts'

const entry =
  /<Valute\b[^>]*>[\s\S]*?<CharCode>([A-Z]{3})<\/CharCode>\s*<Nominal>(\d+)<\/Nominal>[\s\S]*?<Value>([\d,.]+)<\/Value>/g

const day = /<ValCurs\b[^>]*\bDate="([\d.]+)"/

/** Reads the daily list of the Bank of Russia: roubles for `Nominal` units, with a decimal comma. */
function parseCbr(xml: string): DayQuotes {
  const quotes = new Map<string, Decimal>([['RUB', one]])
  for (const [, code = '', nominal = '', value = ''] of xml.matchAll(entry)) {
    const units = parseDecimal(nominal)
    const worth = parseDecimal(value)
    if (units !== undefined && worth !== undefined) quotes.set(code, divide(worth, units))
  }
  if (!quotes.has('USD')) throw new Error('the list of the Bank of Russia has no dollar')
  const asOf = parseDay(day.exec(xml)?.[1] ?? '')
  if (asOf === undefined) throw new Error('the list of the Bank of Russia has no date')
  return { quotes, asOf }
}

/** Bank of Russia, https://www.cbr.ru/development/SXML/. The document is in windows-1251. */
export const cbr = (baseUrl: string): RateSource => ({
  async read() {
    const bytes = await readDocument(`${baseUrl}/scripts/XML_daily.asp`)
    return parseCbr(new TextDecoder('windows-1251').decode(bytes))
  },
})

import { z } from 'zod'
import { type DayQuotes, type Decimal, divide, one, parseDay, parseDecimal } from '../rate.rules.ts'
import { type RateSource, readDocument } from '../rate-source.ts'

const list = z.array(z.object({ Ccy: z.string(), Nominal: z.string(), Rate: z.string(), Date: z.string() }))

/** Reads the list of the Central Bank of Uzbekistan: soums for `Nominal` units, every value a text. */
function parseCbu(json: unknown): DayQuotes {
  const entries = list.parse(json)
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
export const cbu = (baseUrl: string): RateSource => ({
  async read() {
    const bytes = await readDocument(`${baseUrl}/ru/arkhiv-kursov-valyut/json/`)
    return parseCbu(JSON.parse(new TextDecoder().decode(bytes)))
  },
})

import { z } from 'zod'
import { type Decimal, divide, one, parseDecimal } from '../rate.rules.ts'
import { type RateSource, readDocument } from '../rate-source.ts'

const list = z.array(z.object({ Ccy: z.string(), Nominal: z.string(), Rate: z.string() }))

/** Reads the list of the Central Bank of Uzbekistan: soums for `Nominal` units, every value a text. */
function parseCbu(json: unknown): Map<string, Decimal> {
  const quotes = new Map<string, Decimal>([['UZS', one]])
  for (const { Ccy, Nominal, Rate } of list.parse(json)) {
    const units = parseDecimal(Nominal)
    const worth = parseDecimal(Rate)
    if (units !== undefined && worth !== undefined) quotes.set(Ccy, divide(worth, units))
  }
  if (!quotes.has('USD')) throw new Error('the list of the Central Bank of Uzbekistan has no dollar')
  return quotes
}

/** Central Bank of Uzbekistan, https://cbu.uz/ru/arkhiv-kursov-valyut/veb-masteram/. */
export const cbu = (baseUrl: string): RateSource => ({
  async read() {
    const bytes = await readDocument(`${baseUrl}/ru/arkhiv-kursov-valyut/json/`)
    return parseCbu(JSON.parse(new TextDecoder().decode(bytes)))
  },
})

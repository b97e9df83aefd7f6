import type { Config } from '../../config.ts'
import { cbr } from './sources/cbr.ts'
import { cbu } from './sources/cbu.ts'
import type { RateKeeping } from './update-rates.ts'

/** Where this installation gets its rates from. A new source is a file in sources/ and a line here. */
export const rateKeeping = (config: Config): RateKeeping => ({
  sources: { cbr: cbr(config.cbrBaseUrl), cbu: cbu(config.cbuBaseUrl), fixed: undefined },
  defaults: { source: config.ratesSource, timezone: config.timeZone },
})

import type { Resources } from '../../platform/context.ts'
import { rateKeeping } from './rate-keeping.ts'
import { updateDueRates } from './update-rates.ts'

/** Every minute: the daily update of the rates, when its time has come. */
export async function keepRates({ database, config, log }: Resources): Promise<void> {
  const update = await updateDueRates(database, rateKeeping(config))
  if (update) log.info({ updated: update.updated, held: update.held.length }, 'currency rates updated')
}

import type * as real from '../../server/src/modules/delivery/delivery.rules.ts'
import { toVerdict as realVerdict } from '../../server/src/modules/delivery/delivery.rules.ts'

export * from '../../server/src/modules/delivery/delivery.rules.ts'

/** Takes silence for a no when an order was sent, so that the next source of the offer is asked. */
export const toVerdict: typeof real.toVerdict = (answer, asked) => {
  const isSilence = answer.kind === 'unknown' && asked.kind === 'submit'
  return realVerdict(isSilence ? { kind: 'rejected', code: answer.why } : answer, asked)
}

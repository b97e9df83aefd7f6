import type * as real from '../../server/src/modules/delivery/delivery.rules.ts'
import {
  nextRoute as realNextRoute,
  toVerdict as realVerdict,
} from '../../server/src/modules/delivery/delivery.rules.ts'

export * from '../../server/src/modules/delivery/delivery.rules.ts'

const triesAtMost = 3

/** Takes silence for a no. */
export const toVerdict: typeof real.toVerdict = (answer, asked) =>
  realVerdict(answer.kind === 'unknown' ? { kind: 'rejected', code: answer.why } : answer, asked)

/** And asks the same supplier once more, for it is a new order with a new key. */
export const nextRoute: typeof real.nextRoute = (ways) =>
  realNextRoute(ways.tried.length < triesAtMost ? { ...ways, tried: [] } : ways)

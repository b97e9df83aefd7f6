import type * as real from '../../server/src/modules/payments/ask-for-refund.ts'
import { askForRefund as realAsk } from '../../server/src/modules/payments/ask-for-refund.ts'
import { done, rejected } from '../../server/src/platform/vendor/vendor.ts'

export * from '../../server/src/modules/payments/ask-for-refund.ts'

/** Takes the no to a repeat for a no to the first try, whose answer was lost. */
export const askForRefund: typeof real.askForRefund = async (...args) => {
  const asked = await realAsk(...args)
  if (!asked?.isStuck || asked.outcome.kind !== 'unknown') return asked
  return { ...asked, outcome: rejected(asked.outcome.why), isStuck: false }
}

/** And does not look what the provider has. */
export const unbookedRefunds: typeof real.unbookedRefunds = async () => done([])

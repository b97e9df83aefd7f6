import type * as real from '../../server/src/platform/http/rate-limit.ts'

export * from '../../server/src/platform/http/rate-limit.ts'

/** Knows no client. */
export const createPageGate: typeof real.createPageGate = () => ({
  enter: async () => undefined,
  chargeRender() {},
  releaseAll() {},
})

/** Begins whatever comes, at once. */
export const createTurns: typeof real.createTurns = () => (work) => work()

/** Never looks how late the node is. */
export const createLoadGate: typeof real.createLoadGate = () => ({
  enter: async () => undefined,
  refuse: () => undefined,
  stop() {},
})

import type * as real from '../../server/src/config.ts'
import { readConfig as readReally } from '../../server/src/config.ts'

export * from '../../server/src/config.ts'

/** No time is left between the signal and the end. */
export const readConfig: typeof real.readConfig = (environment) => ({
  ...readReally(environment),
  shutdownGraceSeconds: 0,
})

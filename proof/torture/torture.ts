import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { sendCrowd } from './crowd.ts'
import { countUp, inspect, untilAnswered } from './inspection.ts'
import { runUnderKills } from './mayhem.ts'
import type { Options } from './options.ts'
import { type Stage, setStage } from './stage.ts'
import type { RunResult } from './verdict.ts'

/** Told how far a run is, from 0 to 1. */
export type Watcher = (howFar: number, carts: number) => void

/**
 * A store of two servers and a PostgreSQL, bought empty by a crowd while its processes are killed, and then held against
 * what the crowd was told. Whatever it starts it puts into `closers` first.
 */
export async function torture(options: Options, closers: Closers, watch: Watcher): Promise<RunResult> {
  const stage = await setStage(options, closers)
  const { postgres, floor } = stage
  const { carts, clients } = options
  const look = onlooker(stage)
  const { progress, gone } = sendCrowd(floor, { carts, clients, deadline: Date.now() + options.seconds * 1_000 })
  const run = { options, closers, ...stage, progress, all: carts, watch }
  const ordeal = await runUnderKills({ ...run, work: () => gone, afterKill: look.now })
  await look.now()
  return {
    ...ordeal,
    diary: floor.diary,
    carts: { wanted: options.mode === 'ledger' ? 1 : carts, done: progress.cartsDone },
    lostOrders: look.lostOrders,
    brokenInvariants: look.brokenInvariants,
    invariants: invariants.length,
    final: await untilAnswered(() => countUp(postgres.database, floor.diary)),
    bugs: floor.wire.bugs,
  }
}

/** Remembers whatever one of its looks found wrong, even if it looks right again later. */
export function onlooker({ postgres, floor }: Stage) {
  const lostOrders = new Set<string>()
  const brokenInvariants = new Map<number, string>()
  return {
    lostOrders,
    brokenInvariants,
    now: async () => {
      const finding = await inspect(postgres.database, floor.diary)
      for (const order of finding.lostOrders) lostOrders.add(order)
      for (const [number, what] of finding.brokenInvariants) brokenInvariants.set(number, what)
    },
  }
}

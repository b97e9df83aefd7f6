import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { rollChance } from '../random.ts'
import { type Progress, sendCrowd } from './crowd.ts'
import { countUp, inspect, untilAnswered } from './inspection.ts'
import { wreakHavoc } from './mayhem.ts'
import type { Options } from './options.ts'
import { type Stage, setStage } from './stage.ts'
import { readSums } from './sum-readers.ts'
import type { RunResult } from './verdict.ts'

/** Told how far a run is, from 0 to 1. */
export type Watcher = (howFar: number, carts: number) => void

const reportEveryMs = 250
const startReaders = {
  carts: 1,
  ledger: 4,
  payments: 1,
  topups: 1,
  coupons: 1,
  restore: 1,
  update: 1,
  restarts: 0,
  overload: 0,
  failover: 1,
  'full-disk': 0,
} satisfies Record<Options['mode'], number>

/**
 * A store of two servers and a PostgreSQL, bought empty by a crowd while its processes are killed, and then held against
 * what the crowd was told. Whatever it starts it puts into `closers` first.
 */
export async function torture(options: Options, closers: Closers, watch: Watcher): Promise<RunResult> {
  const stage = await setStage(options, closers)
  const { postgres, servers, floor } = stage
  const look = onlooker(stage)
  const began = Date.now()
  const deadline = began + options.seconds * 1_000
  const { progress, gone } = sendCrowd(floor, { carts: options.carts, clients: options.clients, deadline })
  const howFar = () => toShare(options, progress, began)
  const reporting = setInterval(() => watch(howFar(), progress.cartsDone), reportEveryMs)
  closers.push(() => clearInterval(reporting))

  const wantedKills = { server: options.kills, postgres: Math.ceil(options.kills / 4) }
  const allow = (share: number) => {
    if (options.mode !== 'ledger') progress.limit = Math.ceil(share * options.carts)
  }
  const havoc = { servers, postgres, progress, chance: rollChance(options.seed + 1), wantedKills }
  const [kills, sums] = await Promise.all([
    wreakHavoc({ ...havoc, howFar, allow, afterKill: look.now }),
    readSums(postgres.database, progress, startReaders[options.mode]),
    gone,
  ])
  const seconds = (Date.now() - began) / 1_000
  clearInterval(reporting)
  await look.now()
  return {
    diary: floor.diary,
    carts: { wanted: options.mode === 'ledger' ? 1 : options.carts, done: progress.cartsDone },
    kills,
    wantedKills,
    sums,
    lostOrders: look.lostOrders,
    brokenInvariants: look.brokenInvariants,
    invariants: invariants.length,
    final: await untilAnswered(() => countUp(postgres.database, floor.diary)),
    bugs: floor.wire.bugs,
    falls: servers.flatMap((server) => server.falls),
    seconds,
  }
}

/** A ledger run lasts for its time, the others for their carts. */
function toShare({ mode, carts, seconds }: Options, { cartsDone }: Progress, began: number): number {
  const share = cartsDone / carts
  return mode === 'ledger' ? Math.max(share, (Date.now() - began) / 1_000 / seconds) : share
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

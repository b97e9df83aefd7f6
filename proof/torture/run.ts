import type { Closers } from '../../server/src/platform/process.ts'
import { runCommand } from '../command.ts'
import { progressBar } from '../progress-bar.ts'
import type { Line } from '../verdict.ts'
import { breaks } from './breaks.ts'
import { tortureCoupons } from './coupons.ts'
import { tortureFailover } from './failover.ts'
import { tortureFullDisk } from './full-disk.ts'
import { type Mode, type Options, readOptions, usage } from './options.ts'
import { tortureOverload } from './overload.ts'
import { torturePayments } from './payments.ts'
import { printPayments } from './payments-verdict.ts'
import { tortureRestarts } from './restarts.ts'
import { tortureRestore } from './restore.ts'
import { torture, type Watcher } from './torture.ts'
import { tortureTopups } from './torture-topups.ts'
import { tortureUpdate } from './update.ts'
import { toLines } from './verdict.ts'

type Run = (options: Options, closers: Closers, watch: Watcher) => Promise<Line[]>

const buyCarts: Run = async (...args) => toLines(await torture(...args))
const runs: Record<Mode, Run> = {
  carts: buyCarts,
  ledger: buyCarts,
  payments: async (...args) => printPayments(await torturePayments(...args)),
  topups: tortureTopups,
  coupons: tortureCoupons,
  restore: tortureRestore,
  update: tortureUpdate,
  restarts: tortureRestarts,
  overload: tortureOverload,
  failover: tortureFailover,
  'full-disk': tortureFullDisk,
}

const progressUnits: Partial<Record<Mode, string>> = {
  payments: 'calls',
  coupons: 'presses',
  restore: 'orders',
  update: 'orders of the past',
  restarts: 'requests',
  overload: 'requests',
  failover: 'orders',
  'full-disk': 'orders',
}

await runCommand<Options>({
  usage,
  breaks,
  readOptions,
  title: ({ mode }) => `Torture of the store, ${mode}`,
  async run(options, closers) {
    const bar = progressBar(progressUnits[options.mode] ?? 'carts')
    const lines = await runs[options.mode](options, closers, bar.show)
    bar.end()
    return lines
  },
})

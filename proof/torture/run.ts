import { type Closers, endOnSignal } from '../../server/src/platform/closing.ts'
import { breaks } from './breaks.ts'
import { type Mode, type Options, readOptions, usage } from './options.ts'
import { torturePayments } from './payments.ts'
import { printPayments } from './payments-verdict.ts'
import { progressBar } from './progress-bar.ts'
import { torture, type Watcher } from './torture.ts'
import { tortureTopups } from './torture-topups.ts'
import { judge, type Line, toLines } from './verdict.ts'

type Run = (options: Options, closers: Closers, watch: Watcher) => Promise<Line[]>

const buyCarts: Run = async (...args) => toLines(await torture(...args))
const runs: Record<Mode, Run> = {
  carts: buyCarts,
  ledger: buyCarts,
  payments: async (...args) => printPayments(await torturePayments(...args)),
  topups: tortureTopups,
}

async function run(options: Options, closers: Closers): Promise<boolean> {
  const planted = options.break === undefined ? '' : `, planted: ${breaks[options.break]?.sentence}`
  console.log(`Torture of the store (${options.mode}, seed ${options.seed}${planted})`)
  const bar = progressBar()
  const lines = await runs[options.mode](options, closers, bar.show)
  bar.end()
  const { table, isBroken } = judge(lines)
  console.log(`${table}\n${isBroken ? 'BROKEN' : 'Everything promised was kept.'}`)
  return isBroken
}

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

const options = optionsOrExit()
if (options.listsBreaks) {
  console.log(Object.keys(breaks).join('\n'))
} else {
  let isCutShort = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isCutShort = true
      console.error('\nCut short; ending what was started.')
    })
  }
  // What was pushed first is run last.
  const closers: Closers = [() => isCutShort && process.exit(130)]
  const end = endOnSignal(closers)
  try {
    await end((await run(options, closers)) ? 1 : 0)
  } catch (error) {
    console.error(error)
    await end(1)
  }
}

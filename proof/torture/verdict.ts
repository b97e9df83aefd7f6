import { count, counted, type Line, printInvariants } from '../verdict.ts'
import type { Diary } from './diary.ts'
import type { FinalCount } from './inspection.ts'
import type { SumReads } from './sum-readers.ts'

export interface Kills {
  server: number
  postgres: number
}

/** What every run is judged by, whatever it was about. */
export interface Ordeal {
  diary: Diary
  kills: Kills
  wantedKills: Kills
  sums: SumReads
  /** Found after the kills and at the end. */
  lostOrders: ReadonlySet<string>
  brokenInvariants: ReadonlyMap<number, string>
  invariants: number
  /** Answers of 500, by call. */
  bugs: ReadonlyMap<string, number>
  /** With their last words, if they ended on their own. */
  servers: readonly { falls: readonly string[] }[]
  seconds: number
}

export interface RunResult extends Ordeal {
  carts: { wanted: number; done: number }
  final: FinalCount
}

export function toLines({ diary, carts, sums, final, ...result }: RunResult): Line[] {
  const rate = final.orders / result.seconds
  return [
    {
      text: 'carts',
      value: `${count(carts.done)} in ${result.seconds.toFixed(0)} s`,
      broken: carts.done < carts.wanted ? [`${count(carts.wanted)} were to be bought`] : [],
    },
    { text: 'orders', value: `${count(final.orders)} (${rate.toFixed(0)} a second)` },
    { text: 'carts refused (sold out, balance)', value: count(diary.refusals) },
    { text: 'codes sold', value: count(final.codesSold) },
    printKills(result),
    { text: 'calls repeated for want of an answer', value: count(diary.retries) },
    {
      text: 'codes sold twice',
      value: count(Math.max(final.codesSoldTwice, diary.codesSoldTwice)),
      broken: [
        ...examples(final.codesSoldTwice, 'in the database'),
        ...examples(diary.codesSoldTwice, 'on receipts of two orders'),
      ],
    },
    counted('acknowledged orders lost', [...result.lostOrders]),
    counted('orders no client was told of', final.untold),
    printSums(sums),
    printInvariants(result.brokenInvariants, result.invariants),
    counted('balances shown that never were', final.impossibleBalances),
    {
      text: 'balances set by the admin',
      value: count(final.adjustments),
      broken:
        final.adjustments === diary.adjustments || diary.undecided.size > 0
          ? []
          : [`${count(diary.adjustments)} were acknowledged`],
    },
    counted('complaints of clients', diary.complaints),
    printUndecided(diary),
    printBugs(result.bugs),
    printFalls(...result.servers),
    printPurchaseTime(diary),
  ]
}

const examples = (number: number, where: string): string[] => (number === 0 ? [] : [`${count(number)} ${where}`])
const total = (numbers: ReadonlyMap<string, number>): number => [...numbers.values()].reduce((sum, n) => sum + n, 0)

export const printKills = ({ kills: made, wantedKills: wanted }: Pick<Ordeal, 'kills' | 'wantedKills'>): Line => ({
  text: 'kills of servers + of PostgreSQL',
  value: `${made.server} + ${made.postgres}`,
  broken:
    made.server + made.postgres < wanted.server + wanted.postgres
      ? [`${wanted.server} + ${wanted.postgres} were to be made; the work was over before`]
      : [],
})

export const printSums = ({ reads, wrong }: SumReads): Line => ({
  text: 'ledger sums not zero',
  value: `${count(wrong.length)} of ${count(reads)} reads`,
  broken: reads === 0 ? ['nobody read them'] : wrong,
})

export const printUndecided = ({ undecided }: Diary): Line => ({
  text: 'calls never answered',
  value: count(undecided.size),
  broken: undecided.size > 0 ? [`of the users ${[...undecided].join(', ')}`] : [],
})

export const printFalls = (...servers: readonly { falls: readonly string[] }[]): Line =>
  counted(
    'servers that ended on their own',
    servers.flatMap(({ falls }) => falls),
  )

export const printPurchaseTime = (diary: Diary): Line => ({
  text: 'a purchase takes (p50, p99)',
  value: `${diary.percentile(0.5).toFixed(0)} ms, ${diary.percentile(0.99).toFixed(0)} ms`,
})

export const printBugs = (bugs: ReadonlyMap<string, number>): Line => ({
  text: 'answers of 500',
  value: count(total(bugs)),
  broken: [...bugs].map(([call, n]) => `${call}: ${n}`),
})

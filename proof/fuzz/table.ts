import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { type FuzzResult, sayFinding } from './fuzz.ts'
import { faults } from './judge.ts'

/** What the store's process said and did meanwhile. */
export interface Bystanding {
  /** Last words of processes that ended on their own. */
  falls: readonly string[]
  errorLines: readonly string[]
}

/** The table of a run, in the shape of torture's. */
export function toLines(result: FuzzResult, { falls, errorLines }: Bystanding): Line[] {
  const documented = [...result.documentedFailures.values()].reduce((sum, n) => sum + n, 0)
  // The store logs each of its own answers of 5xx once.
  const unexplained = errorLines.length > documented ? errorLines : []
  return [
    { text: 'requests', value: `${count(result.sent)} in ${result.seconds.toFixed(0)} s` },
    { text: 'operations described', value: count(result.operations) },
    { text: 'of them answered with a success', value: count(result.succeeded.size) },
    { text: 'by caller', value: listed(result.byCaller) },
    { text: 'by method', value: listed(result.byMethod) },
    { text: 'answers by status', value: listed(result.byStatus) },
    { text: 'documented answers of 5xx', value: listed(result.documentedFailures) || '0' },
    { text: 'worlds ended before their time', value: count(result.endedWorlds) },
    ...faults.map((fault) => {
      const ofFault = result.findings.filter((finding) => finding.fault === fault)
      return counted(
        fault,
        ofFault.map(({ what, number }) => `request ${number}: ${what}`),
      )
    }),
    printInvariants(new Map(result.brokenInvariants.map((what, index) => [index + 1, what])), result.invariants),
    counted('servers that ended on their own', falls),
    counted('lines of errors besides', unexplained.slice(documented)),
  ]
}

const listed = (tally: ReadonlyMap<string | number, number>): string =>
  [...tally]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, number]) => `${name}: ${count(number)}`)
    .join(', ')

const countEach = 3

/** Each kind of finding with the requests that show it: the first of each call and fault, so that one does not hide others. */
export function printFindings({ findings }: FuzzResult): string[] {
  const told = new Map<string, number>()
  return findings
    .filter(({ fault, request }) => {
      const kind = `${fault} ${request.call}`
      told.set(kind, (told.get(kind) ?? 0) + 1)
      return (told.get(kind) ?? 0) <= countEach
    })
    .map(sayFinding)
}

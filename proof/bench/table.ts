export interface TableRow {
  what: string
  /** One figure, or one of each round. */
  ours: number | readonly number[]
  unit: string
  /** What it is held against. */
  against: string
  /** A round is held against the one beside it: the machine changes its pace from minute to minute. */
  theirs?: number | readonly number[] | undefined
  /** Smallest ratio that is good enough, or the largest figure where there is nothing to divide by. */
  goal?: number | undefined
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const figure = (measured: TableRow['ours'], unit: string) =>
  `${Math.round(median([measured].flat())).toLocaleString('en')}${unit}`

/** The median of what each round has of the one beside it. */
export function toRatio(ours: TableRow['ours'], theirs: TableRow['ours']): number {
  const others = [theirs].flat()
  return median([ours].flat().map((one, round) => one / (others[round] ?? Number.NaN)))
}

/** Prints the rows as a table of Markdown, so that it can be pasted into docs/performance.md as it is. */
export function printTable(rows: readonly TableRow[]): void {
  printCells([['', 'Olmos', 'beside', '', 'ratio', 'goal'], ...rows.map(toCells)])
}

/** Prints cells as a table; the first row is the head. */
export function printCells(cells: readonly string[][]): void {
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = cells
  console.log([line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n'))
}

function toCells({ what, ours, unit, against, theirs, goal }: TableRow): string[] {
  const ratio = theirs === undefined ? undefined : toRatio(ours, theirs)
  const isMet = goal === undefined || (ratio === undefined ? median([ours].flat()) <= goal : ratio >= goal)
  const wanted =
    goal === undefined ? '' : ratio === undefined ? `at most ${goal}${unit}` : `${Math.round(goal * 100)} %`
  return [
    what,
    figure(ours, unit),
    against,
    theirs === undefined ? '' : figure(theirs, unit),
    ratio === undefined ? '' : `${Math.round(ratio * 100)} %`,
    isMet ? wanted : `${wanted}, missed`,
  ]
}

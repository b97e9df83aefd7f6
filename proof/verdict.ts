export interface Line {
  text: string
  value: string
  /** What is wrong about it, with examples. */
  broken?: readonly string[]
}

/** The table of a run, and whether everything promised was kept. */
export function judge(lines: readonly Line[]): { table: string; isBroken: boolean } {
  const width = Math.max(...lines.map((line) => line.text.length))
  const table = lines.flatMap((line) => {
    const mark = line.broken === undefined ? ' ' : line.broken.length > 0 ? '✗' : '✓'
    const examples = (line.broken ?? []).slice(0, 5).map((example) => `      ${example}`)
    return [`${mark} ${line.text.padEnd(width)}  ${line.value}`, ...examples]
  })
  return { table: table.join('\n'), isBroken: lines.some((line) => (line.broken?.length ?? 0) > 0) }
}

export const count = (number: number): string => number.toLocaleString('en')
export const counted = (text: string, broken: readonly string[]): Line => ({
  text,
  value: count(broken.length),
  broken,
})

export const printInvariants = (broken: ReadonlyMap<number, string>, all: number): Line => ({
  text: 'invariants broken',
  value: `${broken.size} of ${all}`,
  broken: [...broken].map(([number, what]) => `${number} ${what}`),
})

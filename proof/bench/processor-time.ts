import { readdirSync, readFileSync } from 'node:fs'

/** Ticks a second of the times in /proc, on every Linux that Node runs on. */
const ticks = 100

interface Spent {
  parent: number
  /** Counts its children that have ended, too; in milliseconds. */
  ms: number
}

/** Reads what a process has spent of the processor; undefined for one that is gone. */
function readSpent(pid: number): Spent | undefined {
  try {
    // The name of the program is in parentheses and may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [parent = 0, used] = [fields[1], fields.slice(11, 15).reduce((sum, time) => sum + time, 0)]
    return { parent, ms: (used * 1_000) / ticks }
  } catch {
    return undefined
  }
}

/** Processor time of a process so far, in milliseconds, all of its threads together. Linux only. */
export const processorMs = (pid: number): number => readSpent(pid)?.ms ?? 0

/** The resident set of a process in MB, as `ps` tells it: whoever measures something meanwhile starts no program for it. Linux only. */
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Finds the first process of the PostgreSQL that has this backend. Linux only. */
export function findPostmaster(backend: number): number {
  const parent = readSpent(backend)?.parent
  if (!parent) throw new Error('the backend is gone')
  return parent
}

/** Processor time so far of a PostgreSQL, all its processes together, in milliseconds. Linux only. */
export function databaseMs(postmaster: number): number {
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readSpent(Number(name)))
  const children = others.filter((spent) => spent?.parent === postmaster)
  return processorMs(postmaster) + children.reduce((sum, spent) => sum + (spent?.ms ?? 0), 0)
}

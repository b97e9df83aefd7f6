import { parseArgs } from 'node:util'
import { breaks } from './breaks.ts'
import type { FuzzOptions } from './fuzz.ts'

export interface Options extends FuzzOptions {
  /** The pages are built first, and asked for too. */
  pages: boolean
  break: string | undefined
  listsBreaks: boolean
}

export const usage = `Usage: npm run fuzz [-- options]
  --requests N (30,000)  --seed N  --at-once N (requests on their way; 4)
  --no-pages (calls only: nothing has to be built)
  --list-breaks --break=NAME (plants a fault; the run must then fail)`

/** Throws what parseArgs throws, or an Error with one sentence. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: text,
      seed: text,
      'at-once': text,
      break: text,
      'no-pages': { type: 'boolean' },
      'list-breaks': { type: 'boolean' },
    },
  })
  if (values.break !== undefined && !(values.break in breaks)) throw new Error(`There is no break ${values.break}.`)
  return {
    requests: wholeNumber('requests', values.requests, 30_000, 10_000_000),
    seed: wholeNumber('seed', values.seed, Date.now() % 1_000_000, 2 ** 31),
    atOnce: wholeNumber('at-once', values['at-once'], 4, 32),
    pages: !values['no-pages'],
    break: values.break,
    listsBreaks: values['list-breaks'] ?? false,
  }
}

function wholeNumber(name: string, text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined) return otherwise
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new Error(`--${name} must be a number up to ${max}.`)
}

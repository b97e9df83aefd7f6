import { parseArgs } from 'node:util'
import { type RunOptions, readRunOptions, runFlags, wholeNumber } from '../command.ts'
import { breaks } from './breaks.ts'
import type { FuzzOptions } from './fuzz.ts'

export interface Options extends FuzzOptions, RunOptions {
  /** The pages are built first, and asked for too. */
  pages: boolean
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
      'at-once': text,
      'no-pages': { type: 'boolean' },
      ...runFlags,
    },
  })
  return {
    requests: wholeNumber('requests', values.requests, 30_000, 10_000_000),
    atOnce: wholeNumber('at-once', values['at-once'], 4, 32),
    pages: !values['no-pages'],
    ...readRunOptions(values, breaks),
  }
}

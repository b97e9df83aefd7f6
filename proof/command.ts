import { type Closers, endOnSignal, toSentence } from '../server/src/platform/process.ts'
import type { Break } from './break.ts'
import { judge, type Line } from './verdict.ts'

/** What every run is told on its command line. */
export interface RunOptions {
  seed: number
  break: string | undefined
  listsBreaks: boolean
}

export const runFlags = {
  seed: { type: 'string' },
  break: { type: 'string' },
  'list-breaks': { type: 'boolean' },
} as const

type RunFlags = { seed?: string; break?: string; 'list-breaks'?: boolean }

/** Throws an Error with one sentence. */
export function readRunOptions(values: RunFlags, breaks: Readonly<Record<string, Break>>): RunOptions {
  if (values.break !== undefined && !(values.break in breaks)) throw new Error(`There is no break ${values.break}.`)
  return {
    seed: wholeNumber('seed', values.seed, Date.now() % 1_000_000, 2 ** 31),
    break: values.break,
    listsBreaks: values['list-breaks'] ?? false,
  }
}

/** Throws an Error with one sentence. */
export function wholeNumber(name: string, text: string | undefined, otherwise: number, max: number): number {
  if (text === undefined) return otherwise
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new Error(`--${name} must be a number up to ${max}.`)
}

export interface Command<Options extends RunOptions> {
  usage: string
  breaks: Readonly<Record<string, Break>>
  /** Throws what parseArgs throws, or an Error with one sentence. */
  readOptions(args: readonly string[]): Options
  title(options: Options): string
  /** Whatever it starts it puts into `closers` first. */
  run(options: Options, closers: Closers): Promise<Line[]>
}

/** Runs a proof as a program: prints its table, and ends with 1 when a promise was broken, with 2 when it was called wrongly. */
export async function runCommand<Options extends RunOptions>(command: Command<Options>): Promise<void> {
  const options = optionsOrExit(command)
  if (options.listsBreaks) {
    console.log(Object.keys(command.breaks).join('\n'))
    return
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => console.error('\nCut short; ending what was started.'))
  }
  const closers: Closers = []
  const end = endOnSignal(closers)
  try {
    await end((await isBroken(command, options, closers)) ? 1 : 0)
  } catch (error) {
    console.error(toSentence(error))
    await end(1)
  }
}

async function isBroken<Options extends RunOptions>(
  { title, breaks, run }: Command<Options>,
  options: Options,
  closers: Closers,
): Promise<boolean> {
  const planted = options.break === undefined ? '' : `, planted: ${breaks[options.break]?.sentence}`
  console.log(`${title(options)} (seed ${options.seed}${planted})`)
  const { table, isBroken } = judge(await run(options, closers))
  console.log(`${table}\n${isBroken ? `BROKEN (seed ${options.seed})` : 'Everything promised was kept.'}`)
  return isBroken
}

/** Reads the command line, or says what is wrong with it and ends the process with 2. */
export function optionsOrExit<Options>({
  readOptions,
  usage,
}: {
  usage: string
  readOptions(args: readonly string[]): Options
}): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

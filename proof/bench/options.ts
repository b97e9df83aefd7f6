import { parseArgs } from 'node:util'
import { wholeNumber } from '../command.ts'

const modes = ['big', 'orders', 'web', 'admin', 'import', 'nodes', 'profile', 'years', 'vendure'] as const

/** One word of the command line; `usual` without any. */
export type Mode = (typeof modes)[number] | 'usual'

export interface Options {
  /** What is measured. */
  mode: Mode
  /** While another process keeps one core wholly busy. */
  isBusy: boolean
  /** How many days a store grows for. */
  days: number
  /** By how much the 10,000 orders of such a day are divided. */
  factor: number
  /** Another checkout of the store that is measured by turns with this one, instead of everything else. */
  beside: string | undefined
  /** Checkouts in a round. */
  checkouts: number
  /** How long one round of reads takes. */
  seconds: number
  rounds: number
}

/** Buyers at once. */
export const clients = 16
/** And orders of the past, of the small store. */
export const codesOnShelf = 10_000

export const usage = `npm run bench -- [${modes.join(' | ')}] [--beside CHECKOUT] [--busy] [--smoke] [--checkouts N] [--seconds N] [--rounds N] [--days N] [--factor N]
  big          measures sales with 1,000,000 codes and 1,000,000 orders by turns with a store of 10,000, instead
  orders       measures whole orders beside the bare shop instead, and nothing else
  web          asks Lighthouse about the pages instead
  admin        asks for every list of the admin area instead, with 1,000,000 codes and 100,000 orders
  import       imports 100,000 codes instead, beside COPY of as many rows by psql
  nodes        measures two idle nodes, two behind PgBouncer, and purchases with a standby 5 ms away, instead
  profile      says in which functions the server spends its time under orders and under each read, instead
  years        lets a store grow for --days (1095) of 10,000 orders, divided by --factor (30), and says what grows, instead
  vendure      measures whole orders by turns with Vendure, which it fetches, instead
  --beside     measures orders and reads of another checkout (after npm ci there) by turns with this one, instead
  --busy       keeps one core wholly busy with something else meanwhile (web)
  --smoke      runs everything once, too short for its figures to mean anything
  --checkouts  in a round (8000)
  --seconds    a round of reads lasts (3)
  --rounds     of which the median counts (3)`

/** Throws what parseArgs throws, or an Error with one sentence. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean', default: false },
      beside: text,
      busy: { type: 'boolean', default: false },
      checkouts: text,
      seconds: text,
      rounds: text,
      days: text,
      factor: text,
    },
  })
  if (positionals.length > 1) throw new Error(`${positionals.join(' ')}: one bench at a time.`)
  const [word] = positionals
  const mode = word === undefined ? 'usual' : modes.find((known) => known === word)
  if (!mode) throw new Error(`There is no bench ${word}.`)
  if (values.beside !== undefined && mode !== 'usual') throw new Error('--beside is a bench of its own.')
  const count = (name: 'checkouts' | 'seconds' | 'rounds' | 'days' | 'factor', usual: number, smoke: number) => {
    const value = wholeNumber(name, values[name], values.smoke ? smoke : usual, 9_999_999)
    if (value === 0) throw new Error(`--${name} must be at least 1.`)
    return value
  }
  const checkouts = count('checkouts', 8_000, 320)
  // Every client of pgbench buys as often as the others, and what is sold must be on the shelf.
  if (checkouts % clients !== 0 || checkouts > codesOnShelf) {
    throw new Error(`--checkouts must be a multiple of ${clients} and at most ${codesOnShelf}.`)
  }
  return {
    mode,
    isBusy: values.busy,
    days: count('days', 1_095, 100),
    factor: count('factor', 30, 500),
    beside: values.beside,
    checkouts,
    seconds: count('seconds', 3, 1),
    rounds: count('rounds', 3, 1),
  }
}

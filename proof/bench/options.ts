import { parseArgs } from 'node:util'

export interface Options {
  /** Also with a million codes and orders. */
  isBig: boolean
  /** Lighthouse on the pages instead of everything else. */
  isWeb: boolean
  /** While another process keeps one core wholly busy. */
  isBusy: boolean
  /** Whole orders beside the bare shop instead of everything else. */
  isOrders: boolean
  /** The lists of the admin area instead of everything else. */
  isAdmin: boolean
  /** An import of codes beside COPY instead of everything else. */
  isImport: boolean
  /** Several nodes, PgBouncer, and a standby 5 ms away, instead of everything else. */
  isNodes: boolean
  /** Where the server's own time goes, instead of everything else. */
  isProfile: boolean
  /** A store that grows for years, instead of everything else. */
  isYears: boolean
  /** How many days of those years. */
  days: number
  /** By how much its 10,000 orders a day are divided. */
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

const modes = ['big', 'orders', 'web', 'admin', 'import', 'nodes', 'profile', 'years']

const usage = `npm run bench -- [big | orders | web | admin | import | nodes | profile | years] [--beside CHECKOUT] [--busy] [--smoke] [--checkouts N] [--seconds N] [--rounds N] [--days N] [--factor N]
  big          measures the checkout again with 1,000,000 codes and 1,000,000 orders
  orders       measures whole orders beside the bare shop instead, and nothing else
  web          asks Lighthouse about the pages instead
  admin        asks for every list of the admin area instead, with 1,000,000 codes and 100,000 orders
  import       imports 100,000 codes instead, beside COPY of as many rows by psql
  nodes        measures two idle nodes, two behind PgBouncer, and purchases with a standby 5 ms away, instead
  profile      says in which functions the server spends its time under orders and under each read, instead
  years        lets a store grow for --days (1095) of 10,000 orders, divided by --factor (30), and says what grows, instead
  --beside     measures orders and reads of another checkout (after npm ci there) by turns with this one, instead
  --busy       keeps one core wholly busy with something else meanwhile (web)
  --smoke      runs everything once, too short for its figures to mean anything
  --checkouts  in a round (8000)
  --seconds    a round of reads lasts (3)
  --rounds     of which the median counts (3)`

/** Reads the command line; undefined after a mistake, which it explains. */
export function readOptions(args: string[]): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        smoke: { type: 'boolean', default: false },
        beside: { type: 'string' },
        busy: { type: 'boolean', default: false },
        checkouts: { type: 'string' },
        seconds: { type: 'string' },
        rounds: { type: 'string' },
        days: { type: 'string' },
        factor: { type: 'string' },
      },
    })
    const unknown = positionals.filter((word) => !modes.includes(word))
    if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(' ')}`)
    const checkouts = wholeNumber(values.checkouts ?? (values.smoke ? '320' : '8000'))
    // Every client of pgbench buys as often as the others, and what is sold must be on the shelf.
    if (checkouts % clients !== 0 || checkouts > codesOnShelf) {
      throw new Error(`--checkouts must be a multiple of ${clients} and at most ${codesOnShelf}`)
    }
    return {
      isBig: positionals.includes('big'),
      isOrders: positionals.includes('orders'),
      isWeb: positionals.includes('web'),
      isBusy: values.busy,
      isAdmin: positionals.includes('admin'),
      isImport: positionals.includes('import'),
      isNodes: positionals.includes('nodes'),
      isProfile: positionals.includes('profile'),
      isYears: positionals.includes('years'),
      days: wholeNumber(values.days ?? (values.smoke ? '100' : '1095')),
      factor: wholeNumber(values.factor ?? (values.smoke ? '500' : '30')),
      beside: values.beside,
      checkouts,
      seconds: wholeNumber(values.seconds ?? (values.smoke ? '1' : '3')),
      rounds: wholeNumber(values.rounds ?? (values.smoke ? '1' : '3')),
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return undefined
  }
}

function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new Error(`not a number: ${text}`)
}

import { parseArgs } from 'node:util'
import { type RunOptions, readRunOptions, runFlags, wholeNumber } from '../command.ts'
import { type ProxyName, proxyNames } from '../proxy.ts'
import { breaks } from './breaks.ts'

export const modes = [
  'carts',
  'ledger',
  'payments',
  'topups',
  'coupons',
  'restore',
  'update',
  'restarts',
  'overload',
  'failover',
  'full-disk',
] as const
export type Mode = (typeof modes)[number]

export interface Options extends RunOptions {
  mode: Mode
  carts: number
  /** How many card payments, one for each customer. */
  payments: number
  codes: number
  clients: number
  /** How many kills of servers; PostgreSQL is killed a quarter as often. */
  kills: number
  /** How long buying may go on. */
  seconds: number
  /** The servers reach PostgreSQL through PgBouncer, which gives every transaction another session. */
  pooler: boolean
  /** How many orders are in the database that is migrated while the store serves; how many a backup does not have. */
  orders: number
  /** The release before, as git names it. */
  from: string | undefined
  /** How long a sale may wait during an update. */
  waitMs: number
  /** How many requests come while nodes restart, behind each proxy. */
  requests: number
  /** Behind which proxies nodes restart. */
  proxies: readonly ProxyName[]
  /** How often the primary is taken away; how many coupons there are. */
  rounds: number
}

export const usage = `Usage: npm run torture [-- [${modes.join('|')}] [options]]
  carts    (default) clients buy carts while servers and PostgreSQL are killed
  ledger   8 users only, and readers that add the ledger up all the time
  payments customers pay by every provider, which tells of it, or asks, often, late and in any order
  topups   clients order top-ups (as many as --carts says) of three games, from two suppliers that lose answers
  coupons  buyers (as many as --carts says) want the same coupons (--rounds), the last use of most of them at once
  restore  the database's disk is lost while clients buy, and the store goes on from a backup, with the WAL since and without
  update   the next release migrates and starts while the release before serves, whose nodes then start again
  restarts two nodes behind HAProxy, Caddy and nginx, as deploy/ has them, are restarted in turn while requests come
  overload five times of what the store bears, nearly all of it pages and reads, for --seconds; payments must go on
  failover the primary of three PostgreSQL under Patroni is severed, killed, frozen and cut off; needs root and Debian's programs
  full-disk the disk of PostgreSQL, a small one of its own, is filled under buyers for --seconds, and freed; needs root
Options: --carts N --payments N --codes N --clients N --kills N (servers; PostgreSQL a quarter of it) --seconds N --seed N
         --pooler (the servers reach PostgreSQL through PgBouncer in transaction mode)
         --orders N --from COMMIT --wait-ms N (update: how much there is, the release before, how long a sale may wait)
         --requests N --proxy ${proxyNames.join('|')} (restarts: how many behind each, or behind one of them only)
         --rounds N (failover: how often the primary is taken away; coupons: how many there are)
         --orders N (restore: how many are placed between the backup and the loss; full-disk: before it is full)
         --list-breaks --break=NAME (plants a fault; the run must then fail)`

type Numbers = Pick<Options, 'carts' | 'payments' | 'codes' | 'clients' | 'kills' | 'seconds' | 'orders'>

const defaults: Record<Mode, Numbers> = {
  carts: { carts: 10_000, payments: 0, codes: 5_000, clients: 64, kills: 20, seconds: 1_800, orders: 0 },
  ledger: { carts: 100_000, payments: 0, codes: 60_000, clients: 32, kills: 10, seconds: 120, orders: 0 },
  payments: { carts: 0, payments: 600, codes: 9_000, clients: 64, kills: 10, seconds: 1_800, orders: 0 },
  topups: { carts: 1_000, payments: 0, codes: 0, clients: 16, kills: 20, seconds: 1_800, orders: 0 },
  coupons: { carts: 1_000, payments: 0, codes: 4_000, clients: 256, kills: 10, seconds: 1_800, orders: 0 },
  restore: { carts: 0, payments: 0, codes: 16_000, clients: 8, kills: 0, seconds: 0, orders: 2_000 },
  update: { carts: 0, payments: 0, codes: 12_000, clients: 8, kills: 0, seconds: 0, orders: 100_000 },
  restarts: { carts: 0, payments: 0, codes: 16_000, clients: 32, kills: 0, seconds: 600, orders: 0 },
  overload: { carts: 0, payments: 0, codes: 60_000, clients: 256, kills: 0, seconds: 120, orders: 0 },
  failover: { carts: 0, payments: 0, codes: 60_000, clients: 8, kills: 0, seconds: 0, orders: 0 },
  'full-disk': { carts: 0, payments: 0, codes: 8_000, clients: 8, kills: 0, seconds: 20, orders: 200 },
}

/** Throws what parseArgs throws, or an Error with one sentence. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      carts: text,
      payments: text,
      codes: text,
      clients: text,
      kills: text,
      seconds: text,
      pooler: { type: 'boolean' },
      orders: text,
      from: text,
      'wait-ms': text,
      requests: text,
      proxy: text,
      rounds: text,
      ...runFlags,
    },
  })
  const usual = breaks[values.break ?? '']?.mode ?? 'carts'
  const mode = modes.find((known) => known === (positionals[0] ?? usual))
  if (!mode || positionals.length > 1) throw new Error(`There is no mode ${positionals.join(' ')}.`)
  const base = defaults[mode]
  const proxies = proxyNames.filter((name) => values.proxy === undefined || name === values.proxy)
  if (proxies.length === 0) throw new Error(`There is no proxy ${values.proxy}.`)
  return {
    mode,
    carts: wholeNumber('carts', values.carts, base.carts, 1_000_000),
    payments: wholeNumber('payments', values.payments, base.payments, 100_000),
    codes: wholeNumber('codes', values.codes, base.codes, 1_000_000),
    clients: wholeNumber('clients', values.clients, base.clients, 256),
    kills: wholeNumber('kills', values.kills, base.kills, 1_000),
    seconds: wholeNumber('seconds', values.seconds, base.seconds, 7_200),
    pooler: values.pooler ?? false,
    orders: wholeNumber('orders', values.orders, base.orders, 20_000_000),
    from: values.from,
    waitMs: wholeNumber('wait-ms', values['wait-ms'], 1_000, 60_000),
    requests: wholeNumber('requests', values.requests, 5_000, 1_000_000),
    proxies,
    rounds: wholeNumber('rounds', values.rounds, 20, 1_000),
    ...readRunOptions(values, breaks),
  }
}

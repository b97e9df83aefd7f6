import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { startPooler } from '../pooler.ts'
import type { Way } from './buy.ts'
import { firstBuyer } from './buyers.ts'
import { buy, perSecond } from './checkouts.ts'
import { clients, type Options } from './options.ts'
import { type Seed, seed } from './seed.ts'
import { addAdmin } from './seed-admin.ts'
import { makeReplicatedStore, type ReplicatedStore } from './standby.ts'
import type { RunningServer } from './store.ts'
import { median, printTable, type TableRow, toRatio } from './table.ts'

const idleGoal = 4
const standbyGoal = 0.9
const shownGoalMs = 1_000
const changes = 30
const startedWithinMs = 300_000
const mute = new URL('./mute.ts', import.meta.url)

/**
 * Two nodes that nobody uses; two nodes behind PgBouncer that sell; and top-ups and card orders bought while every commit
 * waits for a standby: as they are, with notifications taken out, and with NOTIFY in the transaction of each order. Returns
 * whether the goals are met.
 */
export async function measureNodes({ checkouts, seconds, rounds }: Options): Promise<boolean> {
  const store = await makeReplicatedStore()
  const database = new Database({ url: store.databaseUrl, connections: 4, onIdleError: () => {} })
  try {
    const first = await store.open()
    await first.stop()
    const purchases = Math.min(checkouts, 800)
    const servers: RunningServer[] = []
    // Orders that are not paid yet may reserve a share of the stock, so there is more of it than is bought.
    const seeded = await seed(database, { buyers: purchases, codes: 2 * purchases, pastOrders: 100 })
    try {
      servers.push(await store.open(), await store.open({ preload: mute }))
      const [server, silent] = servers as [RunningServer, RunningServer]
      const idle = await measureIdle(database, { seconds: seconds * 20, rounds })
      const sides = { store, seeded, server, silent }
      const shownMs = await measureShown(sides)
      const pooled = await measurePooled(sides, { purchases, rounds })
      const rates = await measureStandby(sides, { purchases, rounds })
      printTable(toRows({ idle, shownMs, pooled, ...rates }))
      const isQuick = ({ ours, without }: Rates) => toRatio(ours, without) >= standbyGoal
      return idle <= idleGoal && shownMs <= shownGoalMs && isQuick(rates.topups) && isQuick(rates.cards)
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      seeded.end()
    }
  } finally {
    await database.close()
    await store.remove()
  }
}

/**
 * Counts the transactions of the whole database in a second, of which this makes one or two. What follows a start, a vacuum
 * of what was filled among it, is in the first round at most.
 */
async function measureIdle(
  database: Database,
  { seconds, rounds }: Pick<Options, 'seconds' | 'rounds'>,
): Promise<number> {
  console.log(`Watching two idle nodes ${rounds} times for ${seconds} s ...`)
  const count = async () => {
    await database.run(sql`SELECT pg_stat_force_next_flush()`)
    const { commits } = await database.one<{ commits: number }>(sql`
      SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`)
    return commits
  }
  await untilStarted(database)
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await count()
    await sleep(seconds * 1_000)
    rates.push(((await count()) - before) / seconds)
  }
  return median(rates)
}

/** Waits until what the nodes began with their start has ended, of which reading the suppliers' lists takes longest. */
async function untilStarted(database: Database): Promise<void> {
  const deadline = performance.now() + startedWithinMs
  do {
    await sleep(15_000)
    if (performance.now() > deadline) throw new Error('the nodes read their suppliers for too long')
  } while (await database.maybe(sql`SELECT FROM supplier_sync WHERE state = 'running'`))
}

interface Sides {
  store: ReplicatedStore
  seeded: Seed
  server: RunningServer
  /** Notifies nobody. */
  silent: RunningServer
}

interface Amount {
  purchases: number
  rounds: number
}

interface Pooled {
  /** Orders a second of two nodes behind PgBouncer, of two nodes without it, and of one. */
  two: number[]
  direct: number[]
  one: number[]
}

/** Two nodes sell to half of the buyers and clients each. */
async function measurePooled({ store, seeded, server }: Sides, { purchases, rounds }: Amount): Promise<Pooled> {
  console.log(`Measuring ${rounds} rounds of ${purchases} orders from two nodes behind PgBouncer ...`)
  const pooler = await startPooler(store.databaseUrl, dirname(store.settings.DATA_DIR ?? ''), clients)
  const nodes: RunningServer[] = []
  const way: Way = { kind: 'order', offer: seeded.offer }
  const half = purchases / 2
  const sellFromTwo = async (...two: RunningServer[]) => {
    await seeded.refill(0)
    const sold = await Promise.all(
      two.map(({ url }, n) => buy(url, half, way, { firstBuyer: firstBuyer + n * half, clients: clients / 2 })),
    )
    return purchases / Math.max(...sold.map(({ seconds }) => seconds))
  }
  try {
    const settings = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: store.databaseUrl }
    nodes.push(await store.open({ settings }), await store.open({ settings }), await store.open())
    const [first, second, third] = nodes as [RunningServer, RunningServer, RunningServer]
    for (const pair of [
      [first, second],
      [server, third],
    ])
      await sellFromTwo(...pair)
    const rates: Pooled = { two: [], direct: [], one: [] }
    for (let round = 0; round < rounds; round++) {
      rates.two.push(await sellFromTwo(first, second))
      rates.direct.push(await sellFromTwo(server, third))
      await seeded.refill(0)
      rates.one.push(perSecond(await buy(server.url, purchases, way)))
    }
    return rates
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await pooler.stop()
  }
}

/**
 * How many milliseconds after an admin saved a setting at one node a page of another shows it: the longest of some. Both
 * keep the page meanwhile, so that it is rendered again because of the setting and of nothing else.
 */
async function measureShown({ store, seeded, server }: Sides): Promise<number> {
  console.log(`Saving ${changes} settings at one node and reading a page of another ...`)
  const other = await store.open()
  try {
    const { token } = await addAdmin(seeded.client)
    const readPage = async () => (await fetch(`${other.url}/support`)).text()
    let longest = 0
    for (let change = 0; change < changes; change++) {
      await readPage()
      const name = `Shop of change ${change}`
      const { status } = await fetch(`${server.url}/api/admin/shop`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      if (status !== 200) throw new Error(`The name of the shop was not saved: ${status}.`)
      const saved = performance.now()
      while (!(await readPage()).includes(name)) {
        if (performance.now() - saved > 60_000) throw new Error('The other node never showed the name of the shop.')
      }
      longest = Math.max(longest, performance.now() - saved)
    }
    return longest
  } finally {
    await other.stop()
  }
}

/** Purchases a second as the store is, without notifications, and with NOTIFY in the transaction of each order. */
interface Rates {
  ours: number[]
  without: number[]
  inside: number[]
}

async function measureStandby(
  { store, seeded, server, silent }: Sides,
  { purchases, rounds }: Amount,
): Promise<Record<'topups' | 'cards', Rates>> {
  const { client, offer } = seeded
  // What is sold is counted; delivering it, on the same two cores, would only be noise.
  await client.query(`
    CREATE FUNCTION postpone_bench() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.next_at := now() + interval '1 day'; RETURN NEW; END $$;
    CREATE TRIGGER postpone_bench BEFORE INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION postpone_bench();
    CREATE FUNCTION notify_bench() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_notify('bench', NEW.id); RETURN NULL; END $$`)
  const { rows } = await client.query(`
    SELECT item_id AS "itemId", price_usd / 100.0 AS "priceUsd", price_rub / 100.0 AS "priceRub" FROM offer JOIN product ON product.id = product_id
    WHERE slug = 'freefire' AND offer.is_active ORDER BY offer.id LIMIT 1`)
  const { itemId, priceUsd, priceRub } = rows[0]
  await store.waitForStandby()
  const measure = async (way: Way): Promise<Rates> => {
    console.log(`Measuring ${rounds} rounds of ${purchases} purchases (${way.kind}) with a standby 5 ms away ...`)
    const sell = async (node: RunningServer) => {
      await seeded.refill(0)
      return perSecond(await buy(node.url, purchases, way))
    }
    const rates: Rates = { ours: [], without: [], inside: [] }
    for (const node of [server, silent]) await sell(node)
    for (let round = 0; round < rounds; round++) {
      rates.ours.push(await sell(server))
      rates.without.push(await sell(silent))
      await client.query(
        'CREATE TRIGGER notify_bench AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION notify_bench()',
      )
      rates.inside.push(await sell(silent))
      await client.query('DROP TRIGGER notify_bench ON orders')
    }
    return rates
  }
  return {
    // Decimals are read as text.
    topups: await measure({ kind: 'topup', itemId, priceUsd: Number(priceUsd), priceRub: Number(priceRub) }),
    cards: await measure({ kind: 'card', offer }),
  }
}

function toRows({
  idle,
  shownMs,
  pooled,
  topups,
  cards,
}: { idle: number; shownMs: number; pooled: Pooled } & Record<'topups' | 'cards', Rates>): TableRow[] {
  const orders = { what: `orders from two nodes behind PgBouncer, ${clients} clients`, ours: pooled.two, unit: '/s' }
  const behind = (what: string, { ours, without, inside }: Rates): TableRow[] => {
    const row = { what: `${what}, ${clients} clients, a standby 5 ms away`, ours, unit: '/s' }
    return [
      { ...row, against: 'the same without notifications', theirs: without, goal: standbyGoal },
      { ...row, against: 'the same with NOTIFY in the transaction', theirs: inside },
    ]
  }
  return [
    { what: 'two idle nodes, transactions', ours: idle, unit: '/s', against: '', goal: idleGoal },
    {
      what: `a setting saved at one node is in the page of another, the longest of ${changes}`,
      ours: shownMs,
      unit: ' ms',
      against: '',
      goal: shownGoalMs,
    },
    { ...orders, against: 'two nodes without it', theirs: pooled.direct },
    { ...orders, against: 'one node without it', theirs: pooled.one },
    ...behind('top-ups from the balance', topups),
    ...behind('card orders: cart, payment and its notice', cards),
  ]
}

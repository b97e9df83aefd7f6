import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Client } from './buyers.ts'
import { buy } from './checkouts.ts'
import { clients, type Options } from './options.ts'
import { seed } from './seed.ts'
import { makeReplicatedStore, type ReplicatedStore } from './standby.ts'
import type { RunningServer } from './store.ts'
import { median, printTable, type TableRow } from './table.ts'

const idleGoal = 4
const standbyGoal = 0.9
const mute = new URL('./mute.ts', import.meta.url)

/**
 * Two nodes that nobody uses, and top-ups bought from the balance while every commit waits for a standby: as they are,
 * with notifications taken out, and with NOTIFY in the transaction of each order. Returns whether the goals are met.
 */
export async function measureNodes({ checkouts, seconds, rounds }: Options): Promise<boolean> {
  const store = await makeReplicatedStore()
  const database = new Database({ url: store.databaseUrl, connections: 4, onIdleError: () => {} })
  try {
    const first = await store.open()
    await first.stop()
    const purchases = Math.min(checkouts, 800)
    const servers: RunningServer[] = []
    const seeded = await seed(database, { buyers: purchases, codes: 100, pastOrders: 100 })
    try {
      servers.push(await store.open(), await store.open(mute))
      const [server, silent] = servers as [RunningServer, RunningServer]
      const idle = await measureIdle(database, seconds * 20)
      const rates = await measureStandby({ store, client: seeded.client, server, silent }, { purchases, rounds })
      printTable(toRows(idle, rates))
      return idle <= idleGoal && rates.ours / rates.without >= standbyGoal
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      seeded.end()
    }
  } finally {
    await database.close()
    await store.remove()
  }
}

/** Counts the transactions of the whole database in a second, of which this makes one or two. */
async function measureIdle(database: Database, seconds: number): Promise<number> {
  console.log(`Watching two idle nodes for ${seconds} s ...`)
  const count = async () => {
    await database.run(sql`SELECT pg_stat_force_next_flush()`)
    const { commits } = await database.one<{ commits: number }>(sql`
      SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()`)
    return commits
  }
  // What they began with their start has ended by then.
  await sleep(15_000)
  const before = await count()
  await sleep(seconds * 1_000)
  return ((await count()) - before) / seconds
}

interface Sides {
  store: ReplicatedStore
  client: Client
  server: RunningServer
  /** Notifies nobody. */
  silent: RunningServer
}

interface Rates {
  ours: number
  without: number
  inside: number
}

async function measureStandby(
  { store, client, server, silent }: Sides,
  { purchases, rounds }: { purchases: number; rounds: number },
): Promise<Rates> {
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
  // Decimals are read as text.
  const way = { kind: 'topup', itemId, priceUsd: Number(priceUsd), priceRub: Number(priceRub) } as const
  await store.waitForStandby()
  const measure = async (node: RunningServer) => {
    const { ok, seconds } = await buy(node.url, purchases, way)
    return ok / seconds
  }
  console.log(`Measuring ${rounds} rounds of ${purchases} top-ups with a standby 5 ms away ...`)
  const rates: Record<keyof Rates, number[]> = { ours: [], without: [], inside: [] }
  for (const node of [server, silent]) await measure(node)
  for (let round = 0; round < rounds; round++) {
    rates.ours.push(await measure(server))
    rates.without.push(await measure(silent))
    await client.query(
      'CREATE TRIGGER notify_bench AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION notify_bench()',
    )
    rates.inside.push(await measure(silent))
    await client.query('DROP TRIGGER notify_bench ON orders')
  }
  return { ours: median(rates.ours), without: median(rates.without), inside: median(rates.inside) }
}

function toRows(idle: number, { ours, without, inside }: Rates): TableRow[] {
  const what = `top-ups from the balance, ${clients} clients, a standby 5 ms away`
  return [
    { what: 'two idle nodes, transactions', ours: idle, unit: '/s', against: '', goal: idleGoal },
    { what, ours, unit: '/s', against: 'the same without notifications', theirs: without, goal: standbyGoal },
    { what, ours, unit: '/s', against: 'the same with NOTIFY in the transaction', theirs: inside },
  ]
}

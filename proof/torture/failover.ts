import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { openServer } from '../ground.ts'
import { type Cluster, type Node, startCluster } from '../patroni-cluster.ts'
import { rollChance } from '../random.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { breaks } from './breaks.ts'
import { type Clients, connectClients } from './clients.ts'
import { sendBuyers } from './crowd.ts'
import { countUp, inspect, untilAnswered } from './inspection.ts'
import type { Options } from './options.ts'
import { stockShop } from './seed.ts'
import { plantBreak } from './stage.ts'
import type { Watcher } from './torture.ts'
import { printBugs, printFalls } from './verdict.ts'

const backWithinMs = 30_000
/** After that a round is given up, so that the next one can begin. */
const patienceMs = 90_000
const rejoinMs = 120_000
const calmMs = 2_000

/** What is done to the machine of the primary, and how it is undone. */
interface Fault {
  what: string
  begin(node: Node): Promise<void>
  end(node: Node): Promise<void>
}

const faults: readonly Fault[] = [
  { what: 'severed from the others', begin: (node) => node.sever(), end: (node) => node.reconnect() },
  { what: 'killed', begin: (node) => node.signal('SIGKILL'), end: (node) => node.open() },
  { what: 'frozen', begin: (node) => node.signal('SIGSTOP'), end: (node) => node.signal('SIGCONT') },
  { what: 'cut off from everybody', begin: (node) => node.cutOff(), end: (node) => node.reconnect() },
]

interface Round {
  what: string
  /** When each buyer had an order again that was asked for after the fault, in milliseconds after it. */
  backMs: number
  /** When another machine was primary, in milliseconds after it. */
  movedMs: number
  rejoinedMs: number
}

/**
 * Three PostgreSQL under Patroni, and two nodes of the store: one reaches them through HAProxy, the other names all three.
 * Buyers buy all the time and press again under the same key, while the machine of the primary is severed, killed, frozen
 * and cut off in turn, and comes back each time.
 */
export async function tortureFailover(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  const planted = breaks[options.break ?? '']
  const cluster = await startCluster({ isSynchronous: planted?.isAsynchronous !== true }, closers)
  await migrate(cluster.url, { servedBy: 'olmos_server' })
  const secretKey = randomBytes(32)
  const wish = { secretKey, codes: options.codes, hotUsers: 0, otherUsers: options.clients }
  const stock = await stockShop(cluster.database, wish)

  const open = ({ url, serverUrl }: Cluster['hosts']) => {
    const ground = { postgres: { url, folder: cluster.folder }, url: serverUrl, secretKey }
    return openServer(ground, closers, plantBreak(options))
  }
  const servers = await Promise.all([open(cluster), open(cluster.hosts)])
  // They need a database to end in peace; who cuts the run short would wait for that.
  closers.push(() => cluster.stop())
  const chance = rollChance(options.seed)
  const shops = servers.map(({ port }) => connectClients([port], chance))
  closers.push(() => shops.map((shop) => shop.close()))
  const crowd = sendBuyers(shops, stock, options.clients)

  const rounds: Round[] = []
  const complaints: string[] = []
  const lostOrders = new Set<string>()
  const brokenInvariants = new Map<number, string>()
  for (let number = 0; number < options.rounds; number++) {
    const fault = faults[number % faults.length] as Fault
    await sleep(calmMs)
    const primary = await cluster.readPrimary()
    await fault.begin(primary)
    const since = performance.now()
    // A primary that answers by itself serves on all the same; what it lost shows once another one has taken over.
    const moved = cluster.untilMoved(primary, patienceMs).then(
      () => performance.now() - since,
      (error: Error) => {
        complaints.push(error.message)
        return Number.POSITIVE_INFINITY
      },
    )
    const [backMs, movedMs] = await Promise.all([crowd.untilServed(since, patienceMs), moved])
    await sleep(calmMs)
    await fault.end(primary)
    const returned = performance.now()
    await cluster.untilWhole(rejoinMs).catch((error: Error) => {
      complaints.push(`round ${number + 1}, ${primary.name} was ${fault.what}: ${error.message}`)
    })
    rounds.push({ what: fault.what, backMs, movedMs, rejoinedMs: performance.now() - returned })
    const finding = await inspect(cluster.database, crowd.diary)
    for (const order of finding.lostOrders) lostOrders.add(`${order} (${fault.what})`)
    for (const [invariant, what] of finding.brokenInvariants) brokenInvariants.set(invariant, what)
    watch((number + 1) / options.rounds, crowd.diary.orders.size)
    if (complaints.length > 0) break
  }
  await crowd.end()

  await Promise.all(servers.map((server) => server.stop()))

  const { codesSold, codesSoldTwice, orders } = await untilAnswered(() => countUp(cluster.database, crowd.diary))
  return [
    { text: 'orders acknowledged', value: `${count(crowd.diary.orders.size)}; in the database ${count(orders)}` },
    { text: 'codes sold', value: count(codesSold) },
    { text: 'calls repeated for want of an answer', value: count(crowd.diary.retries) },
    ...describeRounds(rounds, options.rounds),
    counted('machines that did not come back as replicas', complaints),
    counted('machines that have other orders than the primary', await compareMachines(cluster, orders)),
    counted('acknowledged orders lost', [...lostOrders]),
    { text: 'codes sold twice', value: count(codesSoldTwice), broken: codesSoldTwice > 0 ? ['in the database'] : [] },
    counted('purchases refused or never answered', crowd.diary.complaints),
    printBugs(mergeBugs(shops)),
    printFalls(...servers),
    printInvariants(brokenInvariants, invariants.length),
  ]
}

export const toSeconds = (ms: number): string => (Number.isFinite(ms) ? `${(ms / 1_000).toFixed(1)} s` : 'never')

function describeRounds(rounds: readonly Round[], wanted: number): Line[] {
  const missing = rounds.length < wanted ? [`${wanted} were to be made`] : []
  return [
    { text: 'rounds', value: count(rounds.length), broken: missing },
    ...[...Map.groupBy(rounds, ({ what }) => what)].map(([what, of]) => {
      const slowestFirst = of.toSorted((one, other) => other.backMs - one.backMs)
      const { backMs, movedMs } = slowestFirst[0] ?? { backMs: 0, movedMs: 0 }
      const middle = slowestFirst[Math.floor((of.length - 1) / 2)]?.backMs ?? 0
      const rejoined = Math.max(...of.map(({ rejoinedMs }) => rejoinedMs))
      return {
        text: `the primary ${what}, ${of.length} times`,
        value: `all buyers served again after ${toSeconds(middle)}, at most ${toSeconds(backMs)}, where another one was primary after ${toSeconds(movedMs)}; replica again within ${toSeconds(rejoined)}`,
        broken: backMs > backWithinMs ? [`a buyer waited ${toSeconds(backMs)}, more than ${backWithinMs / 1_000}`] : [],
      }
    }),
  ]
}

/** Replicas get the last orders a moment later, and then all three must have them. */
async function compareMachines(cluster: Cluster, orders: number): Promise<string[]> {
  const deadline = Date.now() + backWithinMs
  for (;;) {
    const counts = await cluster.countOrders()
    const others = [...counts]
      .filter(([, has]) => has !== orders)
      .map(([name, has]) => `${name}: ${has ?? 'does not answer'}, not ${orders}`)
    if (others.length === 0 || Date.now() > deadline) return others
    await sleep(250)
  }
}

function mergeBugs(shops: readonly Clients[]): Map<string, number> {
  const bugs = new Map<string, number>()
  for (const [call, times] of shops.flatMap((shop) => [...shop.bugs])) bugs.set(call, (bugs.get(call) ?? 0) + times)
  return bugs
}

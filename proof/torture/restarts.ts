import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cartApi } from '@olmos/contract/cart'
import { catalogueApi } from '@olmos/contract/catalogue'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { root } from '../../scripts/run.mjs'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { openProxy, type ProxyName } from '../proxy.ts'
import type { Ending, ServerProcess } from '../server-process.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { openWire, toRequest, type Wire, type WireRequest } from '../wire.ts'
import type { Floor } from './buyer.ts'
import { countUp, inspect } from './inspection.ts'
import type { Options } from './options.ts'
import { setStage } from './stage.ts'
import type { Watcher } from './torture.ts'
import { printFalls, printPurchaseTime } from './verdict.ts'

/** What two busy cores bear beside the run, the proxy and PostgreSQL. */
const requestsASecond = 100
/** What a node has with NODE_ENV=production. */
const graceSeconds = 5
const endWithinMs = 25_000
/** Each proxy asks every two seconds whether a node is ready: it has taken back the one that restarted before the next one ends. */
const settleMs = 3_000
const lookEveryMs = 50
const leastRestarts = 2
/** A swamped machine lets some of the five seconds pass before the run has seen the first. */
const leastWarningMs = 1_500
/** So many requests wait for an answer at once; a machine that bears less than the pace sets its own. */
const openAtMost = 64

/** What a node that ends was seen to do, and how it ended. */
interface Restart extends Ending {
  /** How long it was seen to serve and to say at the same time that it is not ready. */
  warnedMs: number
}

interface Crossing {
  proxy: ProxyName
  sent: Record<Kind, number>
  failed: Failed[]
  restarts: Restart[]
}

interface Failed {
  kind: Kind
  status: number | undefined
  /** What was asked for, and what the answer said. */
  words: string
}

type Kind = 'page' | 'read' | 'purchase'

/** Two nodes behind each proxy in turn, restarted one after the other while requests come at a steady pace. */
export async function tortureRestarts(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  if (!existsSync(join(root, 'web/build/server/index.js'))) throw new Error('The pages are not built: npm run build.')
  const grace = { TRUST_PROXY: 'on', SHUTDOWN_GRACE_SECONDS: String(graceSeconds) }
  const { postgres, servers, floor } = await setStage(options, closers, grace)
  const nodes = servers as [ServerProcess, ServerProcess]
  const crossings: Crossing[] = []
  for (const [index, name] of options.proxies.entries()) {
    const proxy = await openProxy(name, [nodes[0].port, nodes[1].port], postgres.folder)
    closers.push(() => proxy.stop())
    const wire = openWire(() => proxy.port)
    closers.push(() => wire.close())
    await warmUp(nodes, floor)
    const report = (sent: number) => {
      const share = Math.min(1, sent / options.requests)
      watch((index + share) / options.proxies.length, index * options.requests + sent)
    }
    crossings.push(await restartBehind(name, nodes, { options, floor, wire, report }))
    wire.close()
    await proxy.stop()
  }
  // One after the other they would take their time twice.
  const [{ lostOrders, brokenInvariants }] = await Promise.all([
    inspect(postgres.database, floor.diary),
    ...nodes.map((node) => node.stop()),
  ])
  const final = await countUp(postgres.database, floor.diary)
  const { diary } = floor
  return [
    ...crossings.flatMap(describeCrossing),
    counted('nodes that ended late or badly', crossings.flatMap(complainOfEndings)),
    counted('nodes that went before a proxy could notice', crossings.flatMap(complainOfWarning)),
    { text: 'orders', value: count(final.orders) },
    counted('acknowledged orders lost', lostOrders),
    counted('orders no client was told of', final.untold),
    {
      text: 'codes sold twice',
      value: count(final.codesSoldTwice),
      broken: final.codesSoldTwice > 0 ? ['in the database'] : [],
    },
    printInvariants(brokenInvariants, invariants.length),
    printFalls(...nodes),
    printPurchaseTime(diary),
  ]
}

const warmWithinMs = 60_000

/** What nobody asked for yet is no matter of restarts: each node makes its pages once before the crowd comes. */
async function warmUp(nodes: readonly ServerProcess[], { stock }: Floor): Promise<void> {
  const deadline = Date.now() + warmWithinMs
  for (const path of pagePaths(stock)) {
    for (const { port } of nodes) {
      while ((await readStatus(`http://127.0.0.1:${port}${path}`)) !== 200 && Date.now() < deadline) await sleep(200)
    }
  }
}

const pagePaths = ({ offers }: Floor['stock']): string[] => ['/', '/products', `/products/${offers[0]?.slug}`]

interface Traffic {
  options: Options
  floor: Floor
  wire: Wire
  report(sent: number): void
}

async function restartBehind(
  proxy: ProxyName,
  nodes: readonly ServerProcess[],
  { options, floor, wire, report }: Traffic,
): Promise<Crossing> {
  const crossing: Crossing = { proxy, sent: { page: 0, read: 0, purchase: 0 }, failed: [], restarts: [] }
  const began = performance.now()
  const deadline = began + options.seconds * 1_000
  let isOver = false
  const send = async () => {
    const open = new Set<Promise<void>>()
    for (let sent = 0; !isOver && performance.now() < deadline; sent++) {
      const dueInMs = began + (sent * 1_000) / requestsASecond - performance.now()
      if (dueInMs > 0) await sleep(dueInMs)
      if (open.size >= openAtMost) await Promise.race(open)
      const request = visit(crossing, floor, wire)
      open.add(request)
      request.finally(() => open.delete(request))
      report(sent + 1)
    }
    await Promise.all(open)
  }
  const restart = async () => {
    const isDone = () => Object.values(crossing.sent).reduce((sum, some) => sum + some) >= options.requests
    for (let turn = 0; turn < leastRestarts || !isDone(); turn++) {
      if (turn > 0) await sleep(settleMs)
      crossing.restarts.push(await watchRestart(nodes[turn % nodes.length] as ServerProcess))
      if (performance.now() > deadline) break
    }
    await sleep(settleMs)
    isOver = true
  }
  await Promise.all([send(), restart()])
  return crossing
}

/** Sends one request; whatever is not a success is a failure of the store or of the way to it. */
async function visit({ sent, failed }: Crossing, floor: Floor, wire: Wire): Promise<void> {
  const { diary, chance } = floor
  const kind: Kind = chance.isTrue(0.3) ? 'purchase' : chance.isTrue(0.5) ? 'page' : 'read'
  const { owner, ...request } = draw(kind, floor, sent[kind])
  sent[kind]++
  const began = performance.now()
  const answer = await wire.send(request)
  if (!answer || answer.status >= 400) {
    const words = `${request.method} ${request.path} ${answer?.text.slice(0, 100).replaceAll('\n', ' ') ?? ''}`
    failed.push({ kind, status: answer?.status, words })
    if (kind === 'purchase') diary.undecided.add(owner)
  } else if (kind === 'purchase') {
    diary.latencies.push(performance.now() - began)
    diary.acknowledge(JSON.parse(answer.text).order.id, owner)
  }
}

function draw(kind: Kind, { stock, chance }: Floor, number: number): WireRequest & { owner: number } {
  const { id: owner, token } = chance.pick(stock.shoppers)
  const offer = chance.pick(stock.offers.slice(0, 2))
  if (kind === 'purchase') {
    const body = { offerId: offer.id, quantity: 1, currency: 'USD' as const, amount: toMajor(offer.priceUsd) }
    return { ...toRequest(checkoutApi.buyNow, { token, key: randomUUID(), body }), owner }
  }
  if (kind === 'page') {
    // What nobody asked for before is in no cache of a proxy.
    const path = `${chance.pick(pagePaths(stock))}?from=${number}`
    return { method: 'GET', path, headers: { 'accept-encoding': 'br' }, body: undefined, owner }
  }
  const reads = [toRequest(catalogueApi.products, {}), toRequest(cartApi.count, { token })]
  return { ...chance.pick(reads), owner }
}

/** Restarts the node, and asks it meanwhile what it says of itself. */
async function watchRestart(node: ServerProcess): Promise<Restart> {
  let isOver = false
  const ask = async (): Promise<number> => {
    let saidSo: number | undefined
    let warnedMs = 0
    while (!isOver) {
      const status = await readStatus(`http://127.0.0.1:${node.port}/api/ready`)
      // Nobody listens any more, until it starts again.
      if (status === undefined) break
      if (status === 503) {
        saidSo ??= performance.now()
        warnedMs = performance.now() - saidSo
      }
      await sleep(lookEveryMs)
    }
    return warnedMs
  }
  const asking = ask()
  const ending = await node.restart()
  isOver = true
  return { ...ending, warnedMs: await asking }
}

const readStatus = (address: string): Promise<number | undefined> =>
  fetch(address, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.status,
    () => undefined,
  )

function describeCrossing({ proxy, sent, failed, restarts }: Crossing): Line[] {
  const slowest = Math.max(...restarts.map(({ ms }) => ms))
  return [
    {
      text: `behind ${proxy}: pages, reads, purchases`,
      value: `${count(sent.page)}, ${count(sent.read)}, ${count(sent.purchase)}`,
    },
    {
      text: `behind ${proxy}: nodes restarted`,
      value: `${restarts.length}, the slowest ended in ${(slowest / 1_000).toFixed(1)} s`,
      broken: restarts.length < leastRestarts ? [`${leastRestarts} at least were to be`] : [],
    },
    { text: `behind ${proxy}: requests that failed`, value: count(failed.length), broken: describeFailed(failed) },
  ]
}

/** By kind and answer: the first five of hundreds would be of one kind. */
const describeFailed = (failed: readonly Failed[]): string[] =>
  [...Map.groupBy(failed, ({ kind, status }) => `${kind}: ${status ?? 'cut, or never answered'}`)].map(
    ([what, alike]) => `${what}, ${count(alike.length)} times, like ${alike[0]?.words}`,
  )

const complainOfEndings = ({ proxy, restarts }: Crossing): string[] =>
  restarts
    .filter(({ ms, code }) => ms > endWithinMs || code !== 0)
    .map(({ ms, code }) => `behind ${proxy}: after ${(ms / 1_000).toFixed(1)} s with ${code ?? 'a kill'}`)

const complainOfWarning = ({ proxy, restarts }: Crossing): string[] =>
  restarts
    .filter(({ warnedMs }) => warnedMs < leastWarningMs)
    .map(({ warnedMs }) => `behind ${proxy}: ${Math.round(warnedMs)} ms after it said so`)

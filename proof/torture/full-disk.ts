import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { openGround, openServer } from '../ground.ts'
import { makeDataFolder } from '../process.ts'
import { rollChance } from '../random.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { openWire, toRequest, type Wire, type WireAnswer } from '../wire.ts'
import { breaks } from './breaks.ts'
import { connectClients } from './clients.ts'
import { sendBuyers } from './crowd.ts'
import { toSeconds } from './failover.ts'
import { countUp, inspect, untilAnswered } from './inspection.ts'
import type { Options } from './options.ts'
import { type Stock, stockShop } from './seed.ts'
import { plantBreak } from './stage.ts'
import type { Watcher } from './torture.ts'
import { printBugs, printFalls } from './verdict.ts'

const diskSize = '400m'
const noticedWithinMs = 10_000
const backWithinMs = 30_000
const lookEveryMs = 250
const ordersWithinMs = 120_000
const metricsToken = 'the token of a run with a full disk'

/**
 * A store whose PostgreSQL, with its logs, is on a disk of its own. While buyers buy, something else takes all the room that is
 * left there, and whatever becomes free; after a while it gives all of it back, and nobody does anything else.
 */
export async function tortureFullDisk(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  if (process.getuid?.() !== 0) throw new Error('This run mounts a disk of its own, and so needs to be run as root.')
  const disk = await mountDisk(closers)
  const planted = breaks[options.break ?? '']
  const ground = await openGround(closers, planted?.settings, join(disk, 'data'))
  const { database } = ground.postgres
  const wish = { secretKey: ground.secretKey, codes: options.codes, hotUsers: 0, otherUsers: options.clients + 1 }
  const stock = await stockShop(database, wish)
  const server = await openServer(ground, closers, { METRICS_TOKEN: metricsToken, ...plantBreak(options) })
  const shop = connectClients([server.port], rollChance(options.seed))
  const wire = openWire(() => server.port)
  closers.push(() => {
    shop.close()
    wire.close()
  })

  const crowd = sendBuyers([shop], stock, options.clients)
  const giveUpAt = performance.now() + ordersWithinMs
  while (crowd.diary.orders.size < options.orders && performance.now() < giveUpAt) {
    watch(crowd.diary.orders.size / options.orders / 2, crowd.diary.orders.size)
    await sleep(lookEveryMs)
  }
  const before = crowd.diary.orders.size

  const filler = takeRoom(disk)
  closers.push(() => filler.free())
  const presses = pressEachTime(wire, stock, options.clients)
  const filledAt = performance.now()
  const looks: Look[] = []
  while (performance.now() - filledAt < options.seconds * 1_000) {
    filler.takeMore()
    const [look] = await Promise.all([lookAt(wire, performance.now() - filledAt), presses.press()])
    looks.push(look)
    watch(0.5 + look.atMs / options.seconds / 2_000, crowd.diary.orders.size)
    await sleep(lookEveryMs)
  }
  const soldWhileFull = crowd.diary.orders.size - before

  filler.free()
  const freedAt = performance.now()
  const readyMs = await untilReady(wire, freedAt)
  const servedMs = await crowd.untilServed(freedAt, 2 * backWithinMs)
  await crowd.end()
  const unsettled = await presses.pressAgain(crowd.diary)
  const finding = await inspect(database, crowd.diary)
  const { orders, codesSold, codesSoldTwice, untold } = await untilAnswered(() => countUp(database, crowd.diary))

  return [
    {
      text: 'orders acknowledged before, and while it was full',
      value: `${count(before)}, ${count(soldWhileFull)}`,
      broken: before < options.orders ? [`${options.orders} were to be placed before`] : [],
    },
    ...describeLooks(looks),
    ...presses.describe(looks),
    {
      text: 'ready again by itself, once there is room',
      value: `after ${toSeconds(readyMs)}`,
      broken: readyMs > backWithinMs ? ['later than half a minute'] : [],
    },
    {
      text: 'all buyers served again',
      value: `after ${toSeconds(servedMs)}`,
      broken: servedMs > backWithinMs ? ['later than half a minute'] : [],
    },
    {
      text: 'orders in the database, and codes sold',
      value: `${count(orders)}, ${count(codesSold)}`,
      broken: orders === codesSold ? [] : ['each order is of one code'],
    },
    counted('orders that nobody was told of', untold),
    counted('acknowledged orders lost', finding.lostOrders),
    { text: 'codes sold twice', value: count(codesSoldTwice), broken: codesSoldTwice > 0 ? ['in the database'] : [] },
    counted('purchases that were refused for good', [...crowd.diary.complaints, ...unsettled]),
    printBugs(shop.bugs),
    printFalls(server),
    printInvariants(finding.brokenInvariants, invariants.length),
  ]
}

async function mountDisk(closers: Closers): Promise<string> {
  const disk = await makeDataFolder('full-disk')
  closers.push(() => rmdirSync(disk))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize},mode=0711`, 'tmpfs', disk])
  closers.push(() => void execFileSync('umount', [disk]))
  return disk
}

/** Takes all the room of a disk, and what becomes free of it meanwhile. */
function takeRoom(disk: string) {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  let isOpen = true
  const takeMore = () => {
    for (const piece of [Buffer.alloc(2 ** 20), Buffer.alloc(2 ** 12)]) {
      try {
        for (;;) writeSync(file, piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  }
  takeMore()
  return {
    takeMore,
    free() {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      rmSync(path)
    },
  }
}

/** What a monitor and a proxy are told at one moment. */
interface Look {
  /** Since the disk was full. */
  atMs: number
  ready: WireAnswer | undefined
  health: number | undefined
  metrics: WireAnswer | undefined
}

const get = (wire: Wire, path: string, headers: Record<string, string> = {}) =>
  wire.send({ method: 'GET', path, headers, body: undefined })

async function lookAt(wire: Wire, atMs: number): Promise<Look> {
  const [ready, health, metrics] = await Promise.all([
    get(wire, '/api/ready'),
    get(wire, '/api/health'),
    get(wire, '/metrics', { authorization: `Bearer ${metricsToken}` }),
  ])
  return { atMs, ready, health: health?.status, metrics }
}

async function untilReady(wire: Wire, since: number): Promise<number> {
  while (performance.now() - since < 2 * backWithinMs) {
    if ((await get(wire, '/api/ready'))?.status === 200) return performance.now() - since
    await sleep(lookEveryMs)
  }
  return Number.POSITIVE_INFINITY
}

const isReady = ({ ready }: Look) => ready?.status === 200
const isWritable = ({ metrics }: Look) => /^olmos_database_writable 1$/m.test(metrics?.text ?? '')

function describeLooks(looks: readonly Look[]): Line[] {
  const first = looks.find((look) => !isReady(look))
  const since = looks.filter(({ atMs }) => atMs >= (first?.atMs ?? 0))
  const wrong = (isWrong: (look: Look) => boolean, says: (look: Look) => string) =>
    since.filter(isWrong).map((look) => `${toSeconds(look.atMs)} after it was full: ${says(look)}`)
  const answer = first?.ready
  return [
    {
      text: 'not ready, once nothing could be written',
      value: first ? `after ${toSeconds(first.atMs)}: ${answer?.status} ${answer?.text.slice(0, 160)}` : 'NEVER',
      broken: first && first.atMs <= noticedWithinMs ? [] : ['a proxy went on sending buyers'],
    },
    counted(
      'looks at which it did not say that the disk is full',
      wrong(
        (look) => !isReady(look) && !look.ready?.text.includes('"the disk of the database is full"'),
        ({ ready }) => ready?.text ?? 'no answer',
      ),
    ),
    counted(
      `of ${since.length} looks since, said to be ready`,
      wrong(isReady, ({ ready }) => ready?.text ?? ''),
    ),
    counted(
      'looks at which it was not alive',
      wrong(
        ({ health }) => health !== 200,
        ({ health }) => `${health ?? 'no answer'}`,
      ),
    ),
    counted(
      'looks without metrics',
      wrong(
        ({ metrics }) => metrics?.status !== 200,
        ({ metrics }) => `${metrics?.status ?? 'no answer'}`,
      ),
    ),
    counted(
      'looks at which the metrics said that it can write',
      wrong(isWritable, ({ ready }) => `and ready was ${ready?.status}`),
    ),
  ]
}

/** One more buyer, who presses once at each look, under a key of its own, and presses them all again at the end. */
function pressEachTime(wire: Wire, { shoppers, offers }: Stock, number: number) {
  const [buyer, offer] = [shoppers[number], offers[0]]
  if (!buyer || !offer) throw new Error('nothing is on sale')
  const body = { offerId: offer.id, quantity: 1, currency: 'USD' as const, amount: toMajor(offer.priceUsd) }
  const send = (key: string) => wire.send(toRequest(checkoutApi.buyNow, { token: buyer.token, key, body }))
  const pressed: { key: string; answer: WireAnswer | undefined }[] = []
  const isSold = (answer: WireAnswer | undefined) => answer !== undefined && answer.status < 300
  const isClear = (answer: WireAnswer | undefined) =>
    answer?.status === 503 && answer.headers['retry-after'] !== undefined && answer.text.includes('"OVERLOADED"')
  return {
    async press() {
      const key = randomUUID()
      pressed.push({ key, answer: await send(key) })
    },
    /** Answers what did not become an order. */
    async pressAgain(diary: { acknowledge(orderId: string, userId: number): void }): Promise<string[]> {
      const unsettled: string[] = []
      for (const { key, answer } of pressed) {
        const again = await send(key)
        if (!again || !isSold(again)) {
          unsettled.push(`${again?.status} ${again?.text.slice(0, 160)}`)
          continue
        }
        if (answer && isSold(answer) && answer.text !== again.text) unsettled.push(`${key} was answered in two ways`)
        diary.acknowledge(JSON.parse(again.text).order.id, buyer.id)
      }
      return unsettled
    },
    describe(looks: readonly Look[]): Line[] {
      const answers = pressed.map(({ answer }) => answer)
      const refused = answers.filter(isClear)
      return [
        {
          text: 'presses while it was full: refused with 503, sold',
          value: `${refused.length}, ${answers.filter(isSold).length}`,
          broken: looks.length > 0 && refused.length === 0 ? ['none was refused: was the disk full?'] : [],
        },
        counted(
          'presses with neither an order nor a clear refusal',
          answers
            .filter((answer) => !isClear(answer) && !isSold(answer))
            .map((answer) => `${answer?.status} ${answer?.text}`),
        ),
      ]
    },
  }
}

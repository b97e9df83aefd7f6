import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { root } from '../../scripts/run.mjs'
import { invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { openServer } from '../ground.ts'
import { endProcess } from '../process.ts'
import { type Chance, rollChance } from '../random.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { openWire, toRequest, type Wire } from '../wire.ts'
import { Diary } from './diary.ts'
import { inspect } from './inspection.ts'
import type { Options } from './options.ts'
import type { Asked, CrowdOrder, CrowdReport } from './overload-crowd.ts'
import { type Stock, stockShop } from './seed.ts'
import { openDatabase, plantBreak } from './stage.ts'
import type { Watcher } from './torture.ts'
import { printFalls } from './verdict.ts'

const times = 5
/**
 * One request in ten of the load pays. Shops count two to five purchases in a hundred visits, and a visit is many requests:
 * more of it would be less of a crowd, and more to sell than there are buyers.
 */
const paymentShare = 0.1
/** Buying is fine while 95 of 100 purchases take no longer than this. */
const fineMs = 250
const warmUpMs = 6_000
const measureMs = 20_000
const buyersToBegin = 16
const leastSuccess = 0.99
/** Less than this share of the crowd would prove nothing. */
const leastSent = 0.5

interface Till {
  wire: Wire
  diary: Diary
  stock: Stock
  chance: Chance
  failed: string[]
}

/** What the store bears is measured, and five times of it is offered, most of which asks for pages that nobody has. */
export async function tortureOverload(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  if (!existsSync(join(root, 'web/build/server/index.js'))) throw new Error('The pages are not built: npm run build.')
  const ground = await openDatabase(options, closers)
  const { postgres, secretKey } = ground
  const stock = await stockShop(postgres.database, {
    secretKey,
    codes: options.codes,
    hotUsers: 0,
    otherUsers: options.clients,
  })
  // The limits are on, as in every shop that is open, and the crowd comes from many addresses.
  const server = await openServer(ground, closers, { TRUST_PROXY: 'on', RATE_LIMITS: 'on', ...plantBreak(options) })
  const wire = openWire(() => server.port)
  closers.push(() => wire.close())
  const till: Till = { wire, diary: new Diary(), stock, chance: rollChance(options.seed), failed: [] }

  await buyInTurn(till, buyersToBegin, warmUpMs)
  const borne = await measureBorne(till)
  const perSecond = times * borne.perSecond
  const payments = { perSecond: perSecond * paymentShare, seconds: options.seconds }
  till.diary.latencies.length = 0
  till.failed.length = 0
  const crowd = await startCrowd(closers)
  const [sent, { pages, reads, unsent }] = await Promise.all([
    payAtPace(till, payments, watch),
    crowd.ask({
      port: server.port,
      perSecond: perSecond * (1 - paymentShare),
      seconds: options.seconds,
      seed: options.seed,
      product: { id: stock.offers[0]?.productId ?? 0, slug: stock.offers[0]?.slug ?? '' },
      tokens: stock.shoppers.map(({ token }) => token),
    }),
  ])
  const { lostOrders, brokenInvariants } = await inspect(postgres.database, till.diary)

  const { diary, failed } = till
  const p95 = diary.percentile(0.95)
  const success = (sent - failed.length) / sent
  const asked = pages.sent + reads.sent + unsent
  return [
    {
      text: 'what the store bears alone',
      value: `${count(Math.round(borne.perSecond))} purchases a second by ${borne.buyers} buyers, 95 % within ${Math.round(borne.p95)} ms`,
    },
    {
      text: 'offered, five times of it',
      value: `${count(Math.round(perSecond))} requests a second for ${options.seconds} s: ${count(sent)} payments (one in ten), ${count(asked)} of the crowd`,
      broken:
        pages.sent + reads.sent < leastSent * asked
          ? [`only ${count(pages.sent + reads.sent)} of the crowd could be sent: this proves nothing`]
          : [],
    },
    {
      text: 'payments that succeeded at once',
      value: `${(success * 100).toFixed(2)} %`,
      broken: success < leastSuccess ? failed : [],
    },
    {
      text: 'a payment takes (p50, p95)',
      value: `${Math.round(diary.percentile(0.5))} ms, ${Math.round(p95)} ms`,
      broken: p95 > options.waitMs ? [`more than ${options.waitMs} ms`] : [],
    },
    {
      text: 'pages shed, by 503 with Retry-After',
      value: describe(pages),
      broken: [
        ...(pages.shed === 0 ? ['none, whatever the load'] : []),
        ...(pages.shedWithoutWord > 0 ? [`${count(pages.shedWithoutWord)} times without Retry-After`] : []),
        ...(pages.shed / pages.sent < 1 - success ? ['a smaller share than of payments'] : []),
      ],
    },
    {
      text: 'reads shed',
      value: describe(reads),
      broken: reads.shedWithoutWord > 0 ? [`${count(reads.shedWithoutWord)} times without Retry-After`] : [],
    },
    { text: 'of the crowd cut, never sent', value: `${count(pages.cut + reads.cut)}, ${count(unsent)}` },
    counted('answers of 500', [
      ...failed.filter((failure) => failure.startsWith('500')),
      ...[pages, reads].flatMap(({ byStatus }) =>
        byStatus[500] ? [`${count(byStatus[500])} times to the crowd`] : [],
      ),
    ]),
    counted('acknowledged orders lost', lostOrders),
    printFalls(server),
    printInvariants(brokenInvariants, invariants.length),
  ]
}

const describe = ({ sent, shed, byStatus }: Asked): string =>
  `${count(shed)} of ${count(sent)} (${Object.entries(byStatus)
    .map(([status, times]) => `${status}: ${count(times)}`)
    .join(', ')})`

/** Fewer and fewer buyers, until buying is fine. */
async function measureBorne(till: Till) {
  for (let buyers = buyersToBegin; ; buyers = Math.floor(buyers / 2)) {
    const { latencies } = till.diary
    latencies.length = 0
    await buyInTurn(till, buyers, measureMs)
    const p95 = till.diary.percentile(0.95)
    if (p95 <= fineMs || buyers === 1) return { buyers, p95, perSecond: latencies.length / (measureMs / 1_000) }
  }
}

/** Each buyer buys one code after the other. */
async function buyInTurn(till: Till, buyers: number, ms: number): Promise<void> {
  const until = performance.now() + ms
  const buy = async (number: number) => {
    while (performance.now() < until) await buyOne(till, number)
  }
  await Promise.all(Array.from({ length: buyers }, (_, number) => buy(number)))
}

/** Payments come whether or not those before are answered. Returns how many. */
async function payAtPace(
  till: Till,
  { perSecond, seconds }: { perSecond: number; seconds: number },
  watch: Watcher,
): Promise<number> {
  const all: Promise<void>[] = []
  const wanted = Math.max(1, Math.round(perSecond * seconds))
  const began = performance.now()
  for (let sent = 0; sent < wanted; sent++) {
    const dueInMs = began + (sent * 1_000) / perSecond - performance.now()
    if (dueInMs > 0) await sleep(dueInMs)
    all.push(buyOne(till, sent))
    watch((sent + 1) / wanted, sent + 1)
  }
  await Promise.all(all)
  return wanted
}

/** A purchase by one press: a crowd must not make customers press twice. */
async function buyOne({ wire, diary, stock, chance, failed }: Till, number: number): Promise<void> {
  const shopper = stock.shoppers[number % stock.shoppers.length]
  const offer = stock.offers[chance.between(0, 1)]
  if (!shopper || !offer) throw new Error('there is nothing to buy, or nobody')
  const body = { offerId: offer.id, quantity: 1, currency: 'USD' as const, amount: toMajor(offer.priceUsd) }
  const began = performance.now()
  const answer = await wire.send(toRequest(checkoutApi.buyNow, { token: shopper.token, key: randomUUID(), body }))
  diary.latencies.push(performance.now() - began)
  if (answer?.status === 201) diary.acknowledge(JSON.parse(answer.text).order.id, shopper.id)
  else failed.push(answer ? `${answer.status} ${answer.text.slice(0, 120)}` : 'no answer')
}

async function startCrowd(closers: Closers) {
  const program = fileURLToPath(new URL('overload-crowd.ts', import.meta.url))
  const child = fork(program)
  closers.push(() => endProcess(child))
  await once(child, 'message')
  return {
    async ask(order: CrowdOrder): Promise<CrowdReport> {
      const reply = once(child, 'message')
      child.send(order)
      const [report] = await reply
      return report as CrowdReport
    },
  }
}

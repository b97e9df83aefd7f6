import { checkInvariants, invariants } from '../../server/src/modules/proof/ledger-proof.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { rollChance } from '../random.ts'
import { count, counted, type Line, printInvariants } from '../verdict.ts'
import { connectClients } from './clients.ts'
import { untilAnswered } from './inspection.ts'
import { runUnderKills } from './mayhem.ts'
import type { Options } from './options.ts'
import { untilDelivered } from './pass-time.ts'
import { openDatabase, openStore, toPorts } from './stage.ts'
import { countTopups, type TopupCount } from './topup-count.ts'
import { sendPlayers, stockTopups } from './topup-crowd.ts'
import { decideByBooks, loseAnswers, startSecondSupplier, supplierSettings } from './topup-games.ts'
import type { Watcher } from './torture.ts'
import { printBugs, printFalls, printKills, printSums } from './verdict.ts'

/**
 * Top-ups of three games are ordered while servers and PostgreSQL are killed and both suppliers time out, lose answers and
 * refuse. In the end each order was carried out exactly once, by one of them, or not at all and is refunded.
 */
export async function tortureTopups(options: Options, closers: Closers, watch: Watcher): Promise<Line[]> {
  const ground = await openDatabase(options, closers)
  const { postgres } = ground
  const { database } = postgres
  const vendor = await startSecondSupplier()
  closers.push(() => vendor.close())
  const shop = await stockTopups(database, options.clients, vendor)
  loseAnswers(vendor, rollChance(options.seed + 2))
  const servers = await openStore(options, closers, ground, supplierSettings(vendor))
  const chance = rollChance(options.seed)
  const wire = connectClients(toPorts(servers), chance)
  closers.push(() => wire.close())

  const deadline = Date.now() + options.seconds * 1_000
  const { progress, diary, gone } = sendPlayers({ wire, chance, shop }, options.carts, deadline)
  const broken = new Map<number, string>()
  const look = async () => {
    const results = await untilAnswered(() => database.snapshot(checkInvariants))
    for (const { number, name, offenders, sample } of results) {
      if (offenders > 0) broken.set(number, `${name}: ${offenders}, like ${sample.join(', ')}`)
    }
  }
  const run = { options, closers, servers, postgres, progress, all: options.carts, watch }
  const ordeal = await runUnderKills({ ...run, work: () => gone, afterKill: look })
  await untilDelivered(database, () => decideByBooks(database, { wire, token: shop.adminToken, vendor }))
  await look()
  const final = await untilAnswered(() => countTopups(database, vendor))
  const told = new Map(final.orders.map(({ id, player }) => [id, player]))

  return [
    {
      text: 'top-ups',
      value: `${count(progress.cartsDone)} in ${ordeal.seconds.toFixed(0)} s`,
      broken: progress.cartsDone < options.carts ? [`${count(options.carts)} were to be ordered`] : [],
    },
    printKills(ordeal),
    { text: 'calls repeated for want of an answer', value: count(diary.retries) },
    { text: 'answers of a supplier that were lost', value: count(final.unknown) },
    { text: 'calls whose worker was killed', value: count(final.unanswered) },
    { text: 'orders a supplier never got, sent again', value: count(final.resent) },
    {
      text: 'orders one supplier refused, and the other delivered',
      value: count(final.passedOn),
      broken: final.passedOn === 0 ? ['nothing was passed on'] : [],
    },
    { text: 'orders that waited for the operator, and were refunded', value: count(final.byOperator) },
    { text: 'orders refused by both suppliers, and refunded', value: count(final.refunded - final.byOperator) },
    counted('delivered other than exactly once', completedWrongly(final)),
    counted('delivered by two suppliers', deliveredTwice(final)),
    counted('refunded and delivered all the same', refundedWrongly(final)),
    counted(
      'neither delivered nor refunded',
      final.orders.filter(isOpen).map(({ id, status, waits }) => `${id} ${status}: ${waits}`),
    ),
    counted('delivered without an order', final.gifts),
    counted(
      'acknowledged orders lost',
      [...diary.orders].filter(([player, id]) => told.get(id) !== player).map(([, id]) => id),
    ),
    counted(
      'orders no client was told of',
      final.orders
        .filter(({ player }) => !diary.orders.has(player) && !diary.undecided.includes(player))
        .map(({ id }) => id),
    ),
    printSums(ordeal.sums),
    printInvariants(broken, invariants.length),
    counted('top-ups refused by the store', diary.refusals),
    counted('calls never answered', diary.undecided),
    printBugs(wire.bugs),
    printFalls(...ordeal.servers),
  ]
}

const isOpen = ({ status }: TopupCount['orders'][number]) => status !== 'completed' && status !== 'refunded'

const completedWrongly = ({ orders }: TopupCount) =>
  orders
    .filter(({ status, executions }) => status === 'completed' && executions !== 1)
    .map(({ id, player, executions }) => `${id} of the player ${player}: ${executions} times`)

const deliveredTwice = ({ orders }: TopupCount) =>
  orders.filter(({ suppliers }) => suppliers > 1).map(({ id, player }) => `${id} of the player ${player}`)

const refundedWrongly = ({ orders }: TopupCount) =>
  orders
    .filter(({ status, executions }) => status === 'refunded' && executions !== 0)
    .map(({ id, player, executions }) => `${id} of the player ${player}: ${executions} times`)

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cartApi } from '@olmos/contract/cart'
import type { Endpoint } from '@olmos/contract/endpoint'
import { toMajor } from '@olmos/contract/minor-units'
import { paymentsApi } from '@olmos/contract/payments'
import { topupsApi } from '@olmos/contract/topups'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import type { Closers } from '../../server/src/platform/process.ts'
import { startYookassa, type YookassaDouble } from '../../server/test/doubles/yookassa.ts'
import { aUser, type TestOffer, type TestUser, toCart } from '../../server/test/factories.ts'
import { aTopupOffer, aTopupOrder } from '../../server/test/topup-orders.ts'
import { counted, type Line } from '../verdict.ts'
import type { Clients, Reply } from './clients.ts'
import { untilDelivered } from './pass-time.ts'
import { stockTopups, type TopupShop } from './topup-crowd.ts'
import { startSecondSupplier, supplierSettings } from './topup-games.ts'

/** Those who know what happened although the database forgets it, and customers who pay and are topped up there. */
export interface Outsiders {
  yookassa: YookassaDouble
  supplier: Awaited<ReturnType<typeof startSecondSupplier>>
  topups: TopupShop
  payers: readonly TestUser[]
  /** Top-ups that were paid for before the backup, and go to the supplier after it. */
  early: readonly { orderId: string; player: string }[]
  settings: Record<string, string>
}

const earlyTopups = 6
const clients = { topups: 2, payers: 4 }
/** A customer reads and types in between. */
const pauseMs = 100

/** Starts them, and puts into the shop what they need. Whatever it starts is in `closers` first. */
export async function startOutsiders(database: Database, closers: Closers): Promise<Outsiders> {
  const [yookassa, supplier] = await Promise.all([startYookassa(), startSecondSupplier()])
  closers.push(async () => void (await Promise.all([yookassa.close(), supplier.close()])))
  const topups = await stockTopups(database, clients.topups, supplier)
  const payers: TestUser[] = []
  while (payers.length < clients.payers) payers.push(await aUser({ database }))
  const offer = await aTopupOffer({ database }, 'pubgm/60 UC')
  const early: { orderId: string; player: string }[] = []
  for (let n = 0; n < earlyTopups; n++) {
    const player = `8${String(n).padStart(6, '0')}1000`
    early.push({ orderId: (await aTopupOrder({ database }, { offer, players: [player] })).orderId, player })
  }
  await database.run(sql`UPDATE delivery SET next_at = now() + interval '1 day'`)
  const { G2BULK_API_KEY, G2BULK_BASE_URL } = supplierSettings(supplier)
  const settings = {
    SUPPLIERS: 'g2bulk',
    G2BULK_API_KEY,
    G2BULK_BASE_URL,
    PAYMENT_PROVIDERS: 'yookassa',
    YOOKASSA_SHOP_ID: yookassa.shopId,
    YOOKASSA_SECRET_KEY: yookassa.secretKey,
    YOOKASSA_BASE_URL: yookassa.url,
    YOOKASSA_ADDRESSES: '127.0.0.1/32',
  }
  return { yookassa, supplier, topups, payers, early, settings }
}

/** Lets the supplier have what was paid for before the backup. */
export const sendEarly = (database: Database) =>
  database.run(sql`UPDATE delivery SET next_at = now() WHERE state = 'queued' AND next_at > now()`)

/** A payment that the provider took. */
interface Paid {
  id: string
  orderId: string
  /** Whether the store said that it knows. */
  isTold: boolean
}

/** What the customers were told until the disk was lost. */
export interface OutsideDiary {
  /** The acknowledged top-ups: the order of each player, and when it was acknowledged. */
  topups: Map<string, { orderId: string; at: number }>
  paid: Paid[]
  complaints: string[]
}

/** Customers who order top-ups from their balance, and others who buy codes by card, until they are called off. */
export function sendOutsiders(wire: Clients, outsiders: Outsiders, offer: TestOffer) {
  const { topups, payers, yookassa } = outsiders
  const diary: OutsideDiary = { topups: new Map(), paid: [], complaints: [] }
  let isOver = false
  let players = 0
  // The second one asks the sandbox first, whose books are in the database that is lost.
  const games = topups.games.filter((_game, number) => number !== 1)

  const ask = async <R extends Reply<Endpoint>>(what: string, call: () => Promise<R>): Promise<R | undefined> => {
    while (!isOver) {
      const reply = await call()
      if (reply.kind === 'done') return reply
      if (reply.kind === 'refused') {
        diary.complaints.push(`${what}: ${reply.code}`)
        return undefined
      }
      await sleep(pauseMs)
    }
    return undefined
  }
  const order = async (token: string) => {
    while (!isOver) {
      const player = `7${String(players++).padStart(6, '0')}1000`
      const game = games[players % games.length]
      if (!game) throw new Error('no game is sold')
      const body = { topupData: game(player), currency: 'USD' as const }
      const key = randomUUID()
      const reply = await ask('a top-up', () => wire.call(topupsApi.order, { token, key, body }))
      if (reply?.kind === 'done') diary.topups.set(player, { orderId: reply.value.order.id, at: Date.now() })
      await sleep(pauseMs)
    }
  }
  const pay = async ({ token }: TestUser) => {
    while (!isOver) {
      const added = await ask('a cart', () => wire.call(cartApi.add, { token, body: toCart(offer, 1) }))
      const [key, amount] = [randomUUID(), toMajor(offer.priceRub)]
      const body = { amount, currency: 'RUB' as const, type: 'order' as const, method: 'yookassa_card' }
      const opened = added && (await ask('a payment', () => wire.call(paymentsApi.create, { token, key, body })))
      const orderId = opened?.kind === 'done' ? opened.value.order_id : undefined
      const id = [...yookassa.payments.values()].find(({ metadata }) => metadata.order_id === orderId)?.id
      if (orderId === undefined || id === undefined) continue
      await sleep(pauseMs)
      yookassa.pay(id)
      const paid: Paid = { id, orderId, isTold: false }
      diary.paid.push(paid)
      while (!isOver && !paid.isTold) paid.isTold = await tellPaid(wire, yookassa, id)
    }
  }
  const gone = Promise.all([...topups.tokens.map(order), ...payers.map(pay)])
  return {
    diary,
    async end() {
      isOver = true
      await gone
    },
  }
}

/** Has the provider tell the store of the payment; resolves to whether it was heard. */
async function tellPaid(wire: Clients, yookassa: YookassaDouble, id: string): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const isHeard = (await wire.post('/payment/webhook/yookassa', yookassa.webhook(id), headers)) === 200
  if (!isHeard) await sleep(pauseMs)
  return isHeard
}

/** What `reconcile-sales --json` says of all this. */
export interface ListedOutside {
  orders: { order_id: string }[]
  deliveries: { became: string; supplier_says: string | null }[]
  payments: { differences: { provider_payment_id: string | null }[] }[]
}

/** How often a player was topped up for an order of that state. */
const wantedTimes: Readonly<Record<string, number>> = { completed: 1, refunded: 0 }

interface Afterwards {
  wire: Clients
  database: Database
  listed: ListedOutside
  lostAt: number
  momentMs: number
}

/** Waits until everything that was paid for is delivered, in one of the futures, and holds it against the outsiders' books. */
export async function compareOutside(
  { supplier, yookassa, early }: Outsiders,
  diary: OutsideDiary,
  { wire, database, listed, lostAt, momentMs }: Afterwards,
): Promise<Line[]> {
  const untold = diary.paid.filter(({ isTold }) => !isTold)
  for (const { id } of untold) while (!(await tellPaid(wire, yookassa, id)));
  await sendEarly(database)
  await untilDelivered(database, async () => {})

  const rows = await database.rows<{ id: string; status: string }>(sql`SELECT id, status FROM orders`)
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  const told = [
    ...early.map(({ orderId, player }) => ({ orderId, player, at: 0 })),
    ...[...diary.topups].map(([player, one]) => ({ player, ...one })),
  ]
  const isListed = (orderId: string) => listed.orders.some((order) => order.order_id === orderId)
  const isOfTheMoment = ({ at }: { at: number }) => lostAt - at <= momentMs
  const executions = Map.groupBy(
    supplier.orders.filter(({ status }) => status !== 'FAILED'),
    (one) => one.player_id,
  )
  const succeeded = new Set(
    (
      await database.rows<{ id: string }>(sql`
        SELECT provider_payment_id AS id FROM payment WHERE status = 'succeeded' AND provider_payment_id IS NOT NULL`)
    ).map(({ id }) => id),
  )
  const different = new Set(
    listed.payments.flatMap(({ differences }) => differences.map((one) => one.provider_payment_id)),
  )
  const says = (words: string) => listed.deliveries.filter((one) => one.supplier_says === words).length
  return [
    {
      text: 'top-ups acknowledged, and payments by card',
      value: `${told.length}, ${diary.paid.length}`,
      broken: [
        ...(diary.topups.size === 0 ? ['nobody was topped up'] : []),
        ...(diary.paid.length === 0 ? ['nobody paid by card'] : []),
      ],
    },
    {
      text: 'lost deliveries: looked up, done by the supplier, else',
      value: `${listed.deliveries.filter(({ became }) => became === 'looked_up').length}, ${says('done')}, ${listed.deliveries.filter(({ became, supplier_says }) => became !== 'looked_up' && supplier_says !== 'done').length}`,
    },
    counted(
      'players topped up twice',
      [...executions].flatMap(([player, times]) => (times.length > 1 ? [`${player}: ${times.length} times`] : [])),
    ),
    counted(
      'top-ups neither there nor listed',
      told
        .filter((one) => !statuses.has(one.orderId) && !isListed(one.orderId) && !isOfTheMoment(one))
        .map(({ orderId, player }) => `${orderId} of ${player}`),
    ),
    counted(
      'top-ups that are there, neither delivered once nor refunded',
      told
        .filter(({ orderId }) => statuses.has(orderId))
        .filter(
          ({ orderId, player }) => wantedTimes[statuses.get(orderId) ?? ''] !== (executions.get(player)?.length ?? 0),
        )
        .map(
          ({ orderId, player }) => `${orderId} ${statuses.get(orderId)}: ${executions.get(player)?.length ?? 0} times`,
        ),
    ),
    counted(
      'payments by card neither there nor listed',
      diary.paid.filter(({ id }) => !succeeded.has(id) && !different.has(id)).map(({ orderId }) => orderId),
    ),
    counted('customers of these who were refused', diary.complaints),
  ]
}

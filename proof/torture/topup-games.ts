import { randomUUID } from 'node:crypto'
import { deliveriesApi } from '@olmos/contract/deliveries'
import type { SentBody } from '@olmos/contract/endpoint'
import type { topupsApi } from '@olmos/contract/topups'
import { pino } from 'pino'
import { setSources } from '../../server/src/modules/sourcing/sources.ts'
import { hasCatalogue, syncSupplier } from '../../server/src/modules/sourcing/sync.ts'
import { g2bulk } from '../../server/src/modules/topups/suppliers/g2bulk.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import { sql } from '../../server/src/platform/database/queries.ts'
import { createVendorFetch } from '../../server/src/platform/vendor/vendor.ts'
import { aGame, gameTopup, type TestGame } from '../../server/test/any-game.ts'
import { type G2bulkDouble, startG2bulk } from '../../server/test/doubles/g2bulk.ts'
import { pubgTopup, sellTopups, type TestTopupOffer, topupOffer } from '../../server/test/topups.ts'
import type { Chance } from '../random.ts'
import type { Clients } from './clients.ts'
import { untilAnswered } from './inspection.ts'

type WantedTopup = SentBody<typeof topupsApi.order>['topupData']

/** Something that clients order, for one player each. */
export type ToTopup = (player: string) => WantedTopup

/** How often G2Bulk loses the answer to a call that it has carried out, or has not, of a hundred. */
const faults = [
  ['broken-after', 8],
  ['broken-before', 8],
  ['hang-up', 6],
] as const

/** What G2Bulk does to a player's order, by the end of the id: it refuses it, or takes it and fails later. */
const endings = { refused: /(404|6010)$/, failed: /6009$/ }
const workMs = 100

/** Starts the second supplier of the run, on this machine: it keeps its own books, and outlives every kill. */
export async function startSecondSupplier(): Promise<G2bulkDouble> {
  const vendor = await startG2bulk()
  vendor.refused = endings.refused
  const work = setInterval(() => {
    for (const order of vendor.orders.filter(({ status }) => status === 'PENDING')) {
      order.status = endings.failed.test(order.player_id) ? 'FAILED' : 'COMPLETED'
    }
  }, workMs)
  const { close } = vendor
  return Object.assign(vendor, {
    close: () => {
      clearInterval(work)
      return close()
    },
  })
}

/** Has it lose answers from now on: those to orders, and fewer of those to look-ups, whose pauses grow. */
export const loseAnswers = (vendor: G2bulkDouble, chance: Chance) =>
  Object.defineProperty(vendor, 'fault', {
    get: () => {
      let left = chance.next() * (vendor.requests.at(-1)?.path.endsWith('/order') ? 100 : 400)
      return faults.find(([, ofHundred]) => {
        left -= ofHundred
        return left < 0
      })?.[0]
    },
  })

/** What G2Bulk answers whenever such an order is looked up: that it would not take it now, or does not list it. */
const provesNothing = sql`(supplier_order.reason LIKE 'Invalid player%' OR supplier_order.reason IN ('too_dear', 'not_in_list'))`

/**
 * Does what an operator does with orders that G2Bulk refuses, and that may have been sent before: a repeat that is refused
 * proves nothing to the store, but the books of G2Bulk do. What is refused for another reason is tried again later.
 */
export async function decideByBooks(
  database: Database,
  { wire, token, vendor }: { wire: Clients; token: string; vendor: G2bulkDouble },
): Promise<void> {
  const open = await untilAnswered(() =>
    database.rows<{ id: number; key: string }>(sql`
      SELECT delivery.id, supplier_order.key FROM delivery JOIN supplier_order ON delivery_id = delivery.id
      WHERE operator_since IS NOT NULL AND supplier = 'g2bulk' AND supplier_order.state = 'unknown'
        AND ${provesNothing}`),
  )
  for (const { id, key } of open.filter((one) => vendor.executions(one.key) === 0)) {
    const body = { reason: 'G2Bulk never took it', reference: key }
    await wire.call(deliveriesApi.refund, { token, key: randomUUID(), params: { id: String(id) }, body })
  }
}

/** The settings of servers that buy from both suppliers. */
export const supplierSettings = ({ apiKey, url }: G2bulkDouble) => ({
  SUPPLIERS: 'sandbox,g2bulk',
  G2BULK_API_KEY: apiKey,
  G2BULK_BASE_URL: url,
})

const digits = (key: string) => ({ key, type: 'digits' as const, labels: { ru: key } })
const server = {
  key: 'server',
  type: 'select' as const,
  labels: { ru: 'server' },
  options: ['Asia', 'Europe'].map((value) => ({ value, labels: { ru: value } })),
}

/**
 * Has the shop sell three games, each with a package that both suppliers deliver, under names of their own: one asks the
 * sandbox first, the others G2Bulk.
 */
export async function stockGames(database: Database, vendor: G2bulkDouble, adminId: number): Promise<ToTopup[]> {
  const shop = { database }
  await sellTopups(shop)
  const uc = await topupOffer(shop, 'pubg', 60)
  const twoFields = await aGame(shop, { fields: [digits('user_id'), digits('zone_id')] })
  const oneOfTwo = await aGame(shop, { fields: [digits('user_id'), server] })
  await database.run(sql`UPDATE product SET player_check = 'none' WHERE kind = 'topup'`)
  await readList(database, vendor)
  const supply = async (offerId: number, item: string, isSandboxFirst: boolean) => {
    const [own, other] = [await sandboxProduct(database, item), await listedProduct(database, item)]
    const sources = (isSandboxFirst ? [own, other] : [other, own]).map(toSource)
    await database.transaction((tx) => setSources(tx, adminId, offerId, { sources }))
  }
  await supply(uc.id, 'pubgm/60 UC', false)
  await supply(twoFields.offers[0], 'mlbb/86 Diamonds', true)
  await supply(oneOfTwo.offers[0], 'genshin/60 Crystals', false)
  return [toUc(uc), toGame(twoFields, { zone_id: '2001' }), toGame(oneOfTwo, { server: 'Asia' })]
}

const toUc =
  (offer: TestTopupOffer): ToTopup =>
  (player) =>
    pubgTopup([[offer, 1]], player)

const toGame =
  (game: TestGame, more: Record<string, string>): ToTopup =>
  (player) => ({ ...gameTopup(game), account: { user_id: player, ...more } })

const toSource = (productId: number) => ({ kind: 'supplier' as const, productId, isOn: true, costAtMost: null })

/** Reads what G2Bulk sells, as a server does every quarter of an hour. */
async function readList(database: Database, vendor: G2bulkDouble): Promise<void> {
  const settings = { G2BULK_API_KEY: vendor.apiKey, G2BULK_BASE_URL: vendor.url }
  const supplier = g2bulk.create(settings, { fetchVendor: createVendorFetch(), publicUrl: 'http://localhost' })
  const shop = {
    database,
    log: pino({ level: 'silent' }),
    suppliers: { configured: [supplier], off: [], sandbox: undefined },
  }
  if (hasCatalogue(supplier)) await syncSupplier(shop, supplier, { isWanted: true })
}

const listedProduct = async (database: Database, reference: string): Promise<number> => {
  const { id } = await database.one<{ id: number }>(
    sql`SELECT id FROM supplier_product WHERE supplier = 'g2bulk' AND reference = ${reference}`,
  )
  return id
}

/** What the sandbox is asked for is not in its list, whose costs move and which is read while the run goes on. */
const sandboxProduct = async (database: Database, item: string): Promise<number> => {
  const { id } = await database.one<{ id: number }>(sql`
    WITH service AS (
      INSERT INTO supplier_service (supplier, reference, title) VALUES ('sandbox', ${`torture ${item}`}, ${item}) RETURNING id)
    INSERT INTO supplier_product (supplier, reference, service_id, kind, name, cost, currency)
    SELECT 'sandbox', ${`torture ${item}`}, id, 'topup', ${item}, 0.5, 'USD' FROM service RETURNING id`)
  return id
}

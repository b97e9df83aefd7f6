import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { topupsApi } from '@olmos/contract/topups'
import type { Database } from '../../server/src/platform/database/database.ts'
import type { G2bulkDouble } from '../../server/test/doubles/g2bulk.ts'
import { aUser } from '../../server/test/factories.ts'
import type { Chance } from '../random.ts'
import type { Clients } from './clients.ts'
import type { Progress } from './crowd.ts'
import { stockGames, type ToTopup } from './topup-games.ts'

/** What a supplier does to a player's order, by the end of the id, and how often that is wanted of a hundred. */
const endings: readonly (readonly [ending: string, ofHundred: number])[] = [
  // The sandbox times out after executing, times out without, breaks after executing, refuses.
  ['6002', 10],
  ['6003', 10],
  ['6007', 10],
  ['6001', 8],
  // G2Bulk refuses, or accepts and fails later.
  ['6010', 8],
  ['6009', 4],
  // Both refuse.
  ['7404', 5],
]
const money = 100_000_000
const insistForMs = 90_000

export interface TopupShop {
  /** The games that are ordered, in turn. */
  games: ToTopup[]
  /** One customer a client. */
  tokens: string[]
  adminToken: string
}

export interface TopupDiary {
  /** The acknowledged orders, by player. */
  orders: Map<string, string>
  /** Players whose order was never answered. */
  undecided: string[]
  refusals: string[]
  retries: number
}

export async function stockTopups(database: Database, clients: number, vendor: G2bulkDouble): Promise<TopupShop> {
  const tokens: string[] = []
  while (tokens.length < clients) tokens.push((await aUser({ database }, { usd: money })).token)
  const admin = await aUser({ database }, { role: 'admin' })
  return { games: await stockGames(database, vendor, admin.id), tokens, adminToken: admin.token }
}

function playerFor(n: number, chance: Chance): string {
  let left = chance.next() * 100
  const found = endings.find(([, ofHundred]) => {
    left -= ofHundred
    return left < 0
  })
  return `7${String(n).padStart(6, '0')}${found?.[0] ?? '1000'}`
}

/** Clients that order one top-up after the other, each for a player of its own, and insist on an answer. */
export function sendPlayers(
  { wire, chance, shop }: { wire: Clients; chance: Chance; shop: TopupShop },
  wanted: number,
  deadline: number,
): { progress: Progress; diary: TopupDiary; gone: Promise<void> } {
  const progress: Progress = { cartsDone: 0, isOver: false, limit: wanted }
  const diary: TopupDiary = { orders: new Map(), undecided: [], refusals: [], retries: 0 }
  let started = 0

  const order = async (token: string, player: string, toTopup: ToTopup) => {
    const giveUpAt = Date.now() + insistForMs
    const key = randomUUID()
    const body = { topupData: toTopup(player), currency: 'USD' as const }
    for (let pauseMs = 20; Date.now() < giveUpAt; pauseMs = Math.min(pauseMs * 2, 500)) {
      const reply = await wire.call(topupsApi.order, { token, key, body })
      if (reply.kind === 'done') return void diary.orders.set(player, reply.value.order.id)
      if (reply.kind === 'refused') return void diary.refusals.push(`${player}: ${reply.code}`)
      diary.retries++
      await sleep(pauseMs)
    }
    diary.undecided.push(player)
  }
  const client = async (token: string) => {
    while (started < wanted && Date.now() < deadline) {
      if (started >= progress.limit) {
        await sleep(5)
        continue
      }
      const n = started++
      await order(token, playerFor(n, chance), shop.games[n % shop.games.length] as ToTopup)
      progress.cartsDone++
    }
  }
  const gone = Promise.all(shop.tokens.map(client)).then(() => {
    progress.isOver = true
  })
  return { progress, diary, gone }
}

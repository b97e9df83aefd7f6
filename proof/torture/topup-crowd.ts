import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { topupsApi } from '@olmos/contract/topups'
import { insertUser } from '../../server/src/modules/accounts/accounts.store.ts'
import { openSession } from '../../server/src/modules/accounts/sessions.ts'
import { insertOffer } from '../../server/src/modules/catalogue/products.store.ts'
import { addProduct } from '../../server/src/modules/catalogue/products.ts'
import { credit } from '../../server/src/modules/wallet/wallet.ts'
import type { Database } from '../../server/src/platform/database/database.ts'
import type { Progress } from './crowd.ts'
import type { Chance } from './random.ts'
import type { Wire } from './wire.ts'

/** What the sandbox does to a player's order, by the end of the id, and how often that is wanted of a hundred. */
const endings: readonly (readonly [ending: string, ofHundred: number])[] = [
  // Times out after executing, times out without, breaks after executing, is refused.
  ['6002', 10],
  ['6003', 10],
  ['6007', 10],
  ['6001', 5],
]
const price = 100
const money = 100_000_000
const insistForMs = 90_000

export interface TopupShop {
  offerId: number
  /** Of one customer a client. */
  tokens: string[]
}

export interface TopupDiary {
  /** The order a client was told of, by its player. */
  orders: Map<string, string>
  /** Players whose order was never answered. */
  undecided: string[]
  refusals: string[]
  retries: number
}

export const stockTopups = (database: Database, clients: number): Promise<TopupShop> =>
  database.transaction(async (tx) => {
    const text = { title: 'PUBG', description: '', activationInstructions: '' }
    const productId = await addProduct(tx, {
      slug: 'pubg',
      kind: 'topup',
      category: [],
      gameCurrency: 'UC',
      keywords: [],
      imageUrl: '',
      supportsCodeGeneration: false,
      codePrefix: null,
      position: 1,
      texts: { ru: text },
      regions: [],
    })
    const offer = { gameAmount: 60, priceUsd: price, priceRub: 8_000, isPopular: false }
    const offerId = await insertOffer(tx, { productId, regionId: null }, offer)
    const tokens: string[] = []
    for (let n = 0; n < clients; n++) {
      const nickname = `player_${n}`
      const user = await insertUser(tx, { nickname, nicknameKey: nickname, passwordHash: 'none', role: 'customer' })
      if (!user) throw new Error(`the nickname ${nickname} is taken`)
      const gift = { userId: user.id, currency: 'USD', amount: money, kind: 'adjustment' } as const
      await credit(tx, { ...gift, shopAccount: 'adjustments' })
      tokens.push(await openSession(tx, user))
    }
    return { offerId, tokens }
  })

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
  { wire, chance, shop }: { wire: Wire; chance: Chance; shop: TopupShop },
  wanted: number,
  deadline: number,
): { progress: Progress; diary: TopupDiary; gone: Promise<void> } {
  const progress: Progress = { cartsDone: 0, isOver: false, limit: wanted }
  const diary: TopupDiary = { orders: new Map(), undecided: [], refusals: [], retries: 0 }
  let started = 0

  const order = async (token: string, player: string) => {
    const giveUpAt = Date.now() + insistForMs
    const key = randomUUID()
    const body = { topupData: dataFor(shop, player), currency: 'USD' as const }
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
      await order(token, playerFor(started++, chance))
      progress.cartsDone++
    }
  }
  const gone = Promise.all(shop.tokens.map(client)).then(() => {
    progress.isOver = true
  })
  return { progress, diary, gone }
}

const dataFor = ({ offerId }: TopupShop, player: string) => ({
  service: 'pubg' as const,
  player_id: player,
  offer_id: -1 as const,
  denominations: [{ denomination_id: offerId, quantity: 1 }],
  price_usd: price / 100,
  price_rub: 80,
})

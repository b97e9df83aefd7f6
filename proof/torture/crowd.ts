import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkoutApi } from '@olmos/contract/checkout'
import { toMajor } from '@olmos/contract/minor-units'
import { buySomething, type Floor, insist, setBalance } from './buyer.ts'
import type { Clients } from './clients.ts'
import { Diary } from './diary.ts'
import type { Shopper, Stock } from './seed.ts'

export interface Crowd {
  carts: number
  clients: number
  /** No new cart from then on, in milliseconds since 1970. */
  deadline: number
}

/** How far the crowd is. */
export interface Progress {
  cartsDone: number
  isOver: boolean
  /** No more carts than this are begun until it is raised. */
  limit: number
}

const hotShare = 0.5
const admins = 4
const adminPauseMs = 5
const pressPauseMs = 200

/**
 * Clients that buy one cart after the other until all are bought. Half of the carts are for the few hot users, whom many
 * clients serve at once while admins set their balances; each other user has one client at a time, so that what it must own
 * is known exactly.
 */
export function sendCrowd(
  floor: Floor,
  { carts, clients, deadline }: Crowd,
): { progress: Progress; gone: Promise<void> } {
  const { stock, chance, diary } = floor
  const hot = stock.shoppers.filter((shopper) => shopper.isHot)
  const free = stock.shoppers.filter((shopper) => !shopper.isHot)
  let started = 0
  const progress: Progress = { cartsDone: 0, isOver: false, limit: carts }

  const buyForSomebody = async () => {
    const other = chance.isTrue(hotShare) ? undefined : free.shift()
    const shopper: Shopper = other ?? chance.pick(hot)
    await buySomething(floor, shopper)
    if (other && !diary.undecided.has(other.id)) free.push(other)
  }
  const client = async () => {
    while (started < carts && Date.now() < deadline) {
      if (started >= progress.limit) {
        await sleep(5)
        continue
      }
      started++
      await buyForSomebody()
      progress.cartsDone++
    }
  }
  const admin = async () => {
    for (; !progress.isOver; await sleep(adminPauseMs)) await setBalance(floor)
  }
  const buyers = Promise.all(Array.from({ length: clients }, client)).then(() => {
    progress.isOver = true
  })
  const gone = Promise.all([buyers, ...Array.from({ length: admins }, admin)]).then(() => {})
  return { progress, gone }
}

/** Buyers who buy one code after the other, every other one from the second node. */
export function sendBuyers(shops: readonly Clients[], stock: Stock, clients: number) {
  const diary = new Diary()
  // When the call that was answered with an order was sent, by buyer: the latest one, and when its answer came.
  const served = new Map<number, { askedAt: number; answeredAt: number }>()
  let isOver = false
  const buyers = stock.shoppers.slice(0, clients).map(async ({ id, token }, number) => {
    const offer = stock.offers[number % 2]
    const shop = shops[Math.floor(number / 2) % shops.length]
    if (!offer || !shop) throw new Error('nothing is on sale')
    const body = { offerId: offer.id, quantity: 1, currency: 'USD' as const, amount: toMajor(offer.priceUsd) }
    while (!isOver) {
      const key = randomUUID()
      let askedAt = 0
      const reply = await insist(diary, () => {
        askedAt = performance.now()
        return shop.call(checkoutApi.buyNow, { token, key, body })
      })
      if (reply.kind === 'done') {
        diary.acknowledge(reply.value.order.id, id)
        served.set(id, { askedAt, answeredAt: performance.now() })
      } else diary.complain(reply.kind === 'refused' ? reply.code : reply.why)
      await sleep(pressPauseMs)
    }
  })
  const gone = Promise.all(buyers)
  gone.catch((error: Error) => diary.complain(error.message))
  return {
    diary,
    /** Waits until every buyer has an order that was asked for after `since`; resolves to how long that took, at most `patienceMs`. */
    async untilServed(since: number, patienceMs: number): Promise<number> {
      const waiting = new Set(stock.shoppers.slice(0, clients).map(({ id }) => id))
      let lastMs = 0
      while (waiting.size > 0 && performance.now() - since < patienceMs) {
        for (const id of waiting) {
          const { askedAt = 0, answeredAt = 0 } = served.get(id) ?? {}
          if (askedAt < since) continue
          waiting.delete(id)
          lastMs = Math.max(lastMs, answeredAt - since)
        }
        await sleep(20)
      }
      return waiting.size > 0 ? Number.POSITIVE_INFINITY : lastMs
    },
    async end() {
      isOver = true
      await gone
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { buySomething, type Floor, setBalance } from './buyer.ts'
import type { Shopper } from './seed.ts'

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

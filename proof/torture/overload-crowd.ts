import { Agent, request as httpRequest } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { rollChance } from '../random.ts'

/** What a crowd is told: whom to ask, how often and for how long. */
export interface CrowdOrder {
  port: number
  perSecond: number
  seconds: number
  seed: number
  /** A product that there is. */
  product: { id: number; slug: string }
  /** They are those of customers who are logged in. */
  tokens: readonly string[]
}

/** What became of one kind of request. */
export interface Asked {
  sent: number
  /** 503 with Retry-After. */
  shed: number
  /** 503 without it, which sends nobody away. */
  shedWithoutWord: number
  /** Ended without a whole answer. */
  cut: number
  byStatus: Record<number, number>
}

export interface CrowdReport {
  pages: Asked
  reads: Asked
  /** Due, and never sent because too many were waiting for an answer. */
  unsent: number
}

const connectionsAtMost = 512
const pageShare = 2 / 3
/** Each looks like a visitor of its own to the store. */
const addresses = 65_536
const patienceMs = 10_000

// A process of its own, as visitors are: what it spends on their machines is not to be taken from the store's, and what it
// can't send for it is counted.
setPriority(10)
process.once('disconnect', () => process.exit(0))
process.once('message', async (order: CrowdOrder) => {
  process.send?.(await ask(order))
  process.disconnect()
})
process.send?.('ready')

async function ask({ port, perSecond, seconds, seed, product, tokens }: CrowdOrder): Promise<CrowdReport> {
  const chance = rollChance(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsAtMost })
  const report: CrowdReport = { pages: noneAsked(), reads: noneAsked(), unsent: 0 }
  let open = 0
  const send = (path: string, asked: Asked, token?: string) => {
    open++
    asked.sent++
    const headers = {
      'accept-encoding': 'br',
      'x-forwarded-for': toAddress(chance.between(0, addresses - 1)),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    let isDone = false
    const done = (isCut: boolean) => {
      if (isDone) return
      isDone = true
      open--
      if (isCut) asked.cut++
    }
    const request = httpRequest({ agent, host: '127.0.0.1', port, path, headers, timeout: patienceMs }, (answer) => {
      const status = answer.statusCode ?? 0
      asked.byStatus[status] = (asked.byStatus[status] ?? 0) + 1
      if (status === 503 && answer.headers['retry-after'] !== undefined) asked.shed++
      else if (status === 503) asked.shedWithoutWord++
      answer.resume()
      answer.on('end', () => done(false))
      answer.on('error', () => done(true))
    })
    request.on('timeout', () => request.destroy(new Error('time-out')))
    request.on('error', () => done(true))
    request.end()
  }
  /** Two of five pages are kept by the store, however often the made-up part changes; the others it has to render. */
  const toPage = (n: number): string =>
    chance.pick([
      `/products/${product.slug}?from=${n}`,
      `/products/made-up-${n}`,
      `/products?search=${n}`,
      `/products.data?search=${n}`,
      `/made-up/${n}`,
    ])
  const visit = (n: number) => {
    if (chance.isTrue(pageShare)) return send(toPage(n), report.pages)
    if (chance.isTrue(1 / 4)) return send('/api/cart/count', report.reads, chance.pick(tokens))
    send(
      chance.pick(['/api/products', `/api/products/slug/${product.slug}`, `/api/products/${product.id}/codes/0`]),
      report.reads,
    )
  }

  const began = performance.now()
  const due = () => Math.min(((performance.now() - began) / 1_000) * perSecond, seconds * perSecond)
  for (let n = 0; performance.now() - began < seconds * 1_000; await sleep(5)) {
    for (; n < due(); n++) {
      if (open < connectionsAtMost) visit(n)
      else report.unsent++
    }
  }
  while (open > 0) await sleep(20)
  agent.destroy()
  return report
}

function noneAsked(): Asked {
  return { sent: 0, shed: 0, shedWithoutWord: 0, cut: 0, byStatus: {} }
}

const toAddress = (n: number): string => `100.64.${n >> 8}.${n & 255}`

import { connect, type Socket } from 'node:net'
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
  const report: CrowdReport = { pages: noneAsked(), reads: noneAsked(), unsent: 0 }
  const idle: Visitor[] = []
  let open = 0
  const findVisitor = (): Visitor => {
    const visitor = idle.pop()
    if (!visitor) return openVisitor(port)
    return visitor.isGone() ? findVisitor() : visitor
  }
  const send = (path: string, asked: Asked, token?: string) => {
    open++
    asked.sent++
    const request =
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: br\r\n` +
      `x-forwarded-for: ${toAddress(chance.between(0, addresses - 1))}\r\n` +
      `${token === undefined ? '' : `authorization: Bearer ${token}\r\n`}\r\n`
    const visitor = findVisitor()
    visitor.ask(request, (answer) => {
      open--
      if (!answer) {
        asked.cut++
        return
      }
      idle.push(visitor)
      asked.byStatus[answer.status] = (asked.byStatus[answer.status] ?? 0) + 1
      if (answer.status === 503 && answer.saysWhen) asked.shed++
      else if (answer.status === 503) asked.shedWithoutWord++
    })
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
  for (const visitor of idle) visitor.leave()
  return report
}

interface Visitor {
  /** Calls back with the head of a whole answer, or with nothing when none came; then the visitor is gone. */
  ask(request: string, onAnswer: (answer: { status: number; saysWhen: boolean } | undefined) => void): void
  /** Whether its connection has ended; it can ask nothing more. */
  isGone(): boolean
  leave(): void
}

/**
 * One connection, on which one question is asked after the other. It reads no more of an answer than where it ends: Node's
 * own client costs the machine more than the store's answer does.
 */
function openVisitor(port: number): Visitor {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let heard = ''
  let onAnswer: Parameters<Visitor['ask']>[1] | undefined
  const end = (answer?: { status: number; saysWhen: boolean }) => {
    const tell = onAnswer
    onAnswer = undefined
    heard = ''
    if (!answer) socket.destroy()
    tell?.(answer)
  }
  socket.setTimeout(patienceMs, () => end())
  socket.on('error', () => end())
  socket.on('close', () => end())
  socket.on('data', (bytes) => {
    heard += bytes.toString('latin1')
    const headEnds = heard.indexOf('\r\n\r\n')
    if (headEnds < 0) return
    const head = heard.slice(0, headEnds).toLowerCase()
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
    const isWhole =
      length === undefined ? heard.endsWith('\r\n0\r\n\r\n') : heard.length >= headEnds + 4 + Number(length)
    if (isWhole) end({ status: Number(head.slice(9, 12)), saysWhen: head.includes('\r\nretry-after: ') })
  })
  return {
    ask(request, tell) {
      onAnswer = tell
      socket.write(request)
    },
    isGone: () => socket.destroyed,
    leave: () => socket.destroy(),
  }
}

function noneAsked(): Asked {
  return { sent: 0, shed: 0, shedWithoutWord: 0, cut: 0, byStatus: {} }
}

const toAddress = (n: number): string => `100.64.${n >> 8}.${n & 255}`

import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { readToken } from './seed.ts'

export interface Purchases {
  port: number
  firstBuyer: number
  /** One each of as many buyers. */
  count: number
  clients: number
}

export interface Bought {
  seconds: number
  ok: number
  /** Answers other than 201, by their first line. */
  refused: Record<string, number>
  p50Ms: number
  p99Ms: number
}

// A process of its own, and no HTTP library: whatever it spends is taken from the server on the same machine.
const { port, firstBuyer, count, clients }: Purchases = JSON.parse(process.argv[2] ?? '')
const body = JSON.stringify({ currency: 'USD' })
const toRequest = (buyer: number) =>
  `POST /api/payment/from-balance HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${readToken(buyer)}\r\n` +
  `idempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

let next = 0
const times: number[] = []
const refused: Record<string, number> = {}

/** One client: buys for the next buyer whenever the last one has an answer. */
const buyInTurn = () =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    let received = ''
    let sentAt = 0
    const send = () => {
      if (next === count) return void socket.end()
      sentAt = performance.now()
      socket.write(toRequest(firstBuyer + next++))
    }
    socket.on('connect', send)
    socket.on('data', (text: string) => {
      received += text
      const [head = '', content] = received.split('\r\n\r\n', 2)
      if (content === undefined) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      if (content.length < length) return
      times.push(performance.now() - sentAt)
      if (!head.startsWith('HTTP/1.1 201')) {
        const line = head.slice(0, head.indexOf('\r\n'))
        refused[line] = (refused[line] ?? 0) + 1
      }
      received = ''
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })

const begun = performance.now()
await Promise.all(Array.from({ length: clients }, buyInTurn))
const seconds = (performance.now() - begun) / 1000
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
const bought: Bought = {
  seconds,
  ok: times.length - Object.values(refused).reduce((sum, some) => sum + some, 0),
  refused,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
}
console.log(JSON.stringify(bought))

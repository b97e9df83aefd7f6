import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { makeKey, readToken } from './buyers.ts'

/** What a customer puts into the cart, as the page of its product shows it. */
export interface SoldOffer {
  id: number
  productId: number
  regionId: number
  gameAmount: number
  priceUsd: number
  priceRub: number
}

/**
 * What is sent to own a code. `pay`: the cart is full already. `order`: everything a logged-in customer sends, so the code
 * is put into the cart first. `now`: one call, past the cart. `card`: as an order, but paid on the page of the sandbox,
 * which tells the store. `bare`: one call, to the bare shop. `topup`: a top-up for a new player each. `vendure`: the calls
 * of Vendure from its cart to a paid order.
 */
export type Way =
  | { kind: 'pay' }
  | { kind: 'order' | 'now' | 'card'; offer: SoldOffer }
  | { kind: 'bare' }
  | { kind: 'vendure'; variant: number }
  | { kind: 'topup'; itemId: string; priceUsd: number; priceRub: number }

export interface Purchases {
  port: number
  firstBuyer: number
  /** One each of as many buyers. */
  count: number
  clients: number
  way: Way
}

export interface Bought {
  seconds: number
  ok: number
  /** Answers other than 200 and 201, by their first line and code. */
  refused: Record<string, number>
  p50Ms: number
  p99Ms: number
}

// A process of its own, and no HTTP library: whatever it spends is taken from the server on the same machine.
const { port, firstBuyer, count, clients, way }: Purchases = JSON.parse(process.argv[2] ?? '')

function toRequest(path: string, body: unknown, buyer: number): string {
  const text = JSON.stringify(body)
  return (
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${readToken(buyer)}\r\n` +
    `idempotency-key: ${makeKey()}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`
  )
}

/** What is sent next, of whom, and after what answer. */
type Step = (buyer: number, answer: string) => string
const pay: Step = (buyer) => toRequest('/api/payment/from-balance', { currency: 'USD' }, buyer)

const toTopup =
  ({ itemId, priceUsd, priceRub }: Extract<Way, { kind: 'topup' }>): Step =>
  (buyer) => {
    const playerId = `${randomInt(1e8, 1e9)}1111`
    const seen = { price_usd: priceUsd, price_rub: priceRub }
    const topupData = { service: 'freefire', player_id: playerId, offer_id: itemId, ...seen }
    return toRequest('/api/orders/topup', { topupData, currency: 'USD' }, buyer)
  }

const openPayment =
  (amount: number): Step =>
  (buyer) =>
    toRequest('/api/payment/create', { amount, currency: 'USD', type: 'order', method: 'sandbox' }, buyer)

/** The id of a payment ends the address of its page. */
const payByCard: Step = (buyer, answer) => {
  const id = /([\w-]{36})"/.exec(answer)?.[1]
  return toRequest(`/api/sandbox/payments/${id}/act`, { action: 'pay' }, buyer)
}

/** What a page shows of an order, as Vendure's own storefronts ask for it. */
const vendureOrder = `... on Order { id code state totalQuantity totalWithTax currencyCode
  lines { id quantity linePriceWithTax productVariant { id name } } }`

const vendureSteps = (variant: number): Step[] =>
  [
    `addItemToOrder(productVariantId: "${variant}", quantity: 1)`,
    'transitionOrderToState(state: "ArrangingPayment")',
    'addPaymentToOrder(input: { method: "balance", metadata: {} })',
  ].map((call) => {
    const query = `mutation { ${call} { __typename ${vendureOrder} } }`
    return (buyer) => toRequest('/shop-api', { query }, buyer)
  })

function toSteps(): Step[] {
  if (way.kind === 'vendure') return vendureSteps(way.variant)
  if (way.kind === 'bare') return [(buyer) => toRequest('/order', { buyer }, buyer)]
  if (way.kind === 'pay') return [pay]
  if (way.kind === 'topup') return [toTopup(way)]
  const { id: offerId, ...offer } = way.offer
  if (way.kind === 'now') {
    const body = { offerId, quantity: 1, currency: 'USD', amount: offer.priceUsd }
    return [(buyer) => toRequest('/api/payment/buy-now', body, buyer)]
  }
  const wanted = { ...offer, gameCurrency: '', quantity: 1 }
  const fill: Step = (buyer) => toRequest('/api/cart/add', wanted, buyer)
  return way.kind === 'order' ? [fill, pay] : [fill, openPayment(way.offer.priceUsd), payByCard]
}

const steps = toSteps()
let next = 0
const times: number[] = []
const refused: Record<string, number> = {}

/** One client: buys for the next buyer whenever the last one has what it wants. */
const buyInTurn = () =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    let received = ''
    let begunAt = 0
    let buyer = 0
    let step = 0
    const send = (answer: string) => {
      if (step === 0) {
        if (next === count) return void socket.end()
        begunAt = performance.now()
        buyer = firstBuyer + next++
      }
      socket.write(steps[step]?.(buyer, answer) ?? '')
    }
    socket.on('connect', () => send(''))
    socket.on('data', (text: string) => {
      received += text
      const [head = '', content] = received.split('\r\n\r\n', 2)
      if (content === undefined) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      if (content.length < length) return
      if (!/^HTTP\/1.1 20[01] /.test(head)) {
        const line = `${head.slice(0, head.indexOf('\r\n'))} ${/"code":"\w+"/.exec(content)?.[0]}`
        refused[line] = (refused[line] ?? 0) + 1
      }
      received = ''
      step = (step + 1) % steps.length
      if (step === 0) times.push(performance.now() - begunAt)
      send(content)
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

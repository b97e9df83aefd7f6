import type { AskingProvider, ProviderTransaction } from '../src/modules/payments/provider.ts'
import { click } from '../src/modules/payments/providers/click.ts'
import { payme } from '../src/modules/payments/providers/payme.ts'
import { createVendorFetch } from '../src/platform/vendor/vendor.ts'
import type { AskingCall, Send } from './doubles/asking-call.ts'
import { type ClickDouble, startClick } from './doubles/click.ts'
import { createPaymeDouble, type PaymeDouble } from './doubles/payme.ts'
import { createMemoryBooks } from './memory-books.ts'

/** A store as a provider that asks sees it. */
export interface AskedShop {
  provider: AskingProvider
  send: Send
  /** Places an order that waits for so many tiyin; returns its id. */
  order(tiyin?: number): Promise<string>
  deliver(orderId: string): Promise<void>
  expire(orderId: string): Promise<void>
  /** The transaction as the books have it. */
  find(id: string): Promise<ProviderTransaction | undefined>
  /** Makes the transaction older than it is. */
  age(id: string, ms: number): Promise<void>
  /** From now on, what a call moves in the books is kept, but it fails before it is answered. */
  dieAfterMoving(isDying: boolean): void
  /** Everything in the books that a call could move. */
  snapshot(): Promise<string>
  close(): Promise<void>
}

/** An adapter with the settings of its double. */
interface Asking {
  name: string
  environment: Record<string, string>
  create(): AskingProvider
}

export type OpenAskedShop = (asking: Asking) => Promise<AskedShop>

interface Told {
  /** 0 when it was done. */
  code: number
  answer: object
}

/** A customer's attempt to pay an order at the provider. */
export interface Attempt {
  /** The provider's id of it. */
  id: string
  begin(): Promise<Told>
  perform(): Promise<Told>
  cancel(): Promise<Told>
}

/** A provider that asks, its other side, and the codes that it expects. */
export interface AskedBench {
  shop: AskedShop
  attempt(orderId: string, tiyin?: number): Attempt
  /** Calls that this provider did not make, or made for another shop. */
  forgeries(orderId: string): Record<string, () => Promise<Told>>
  /** Sends these bytes to each address, with credentials where they are in the headers. */
  sendBytes(body: Buffer): Promise<Told[]>
  /** A genuine call of each kind, as the object that its body is made of. */
  genuine(orderId: string): Promise<object[]>
  /** Sends such an object, signed as it is. */
  sendSigned(call: object): Promise<Told>
  codes: {
    wrongAmount: number
    unknownAccount: number
    notPayable: number
    otherPending: number
    unknownTransaction: number
    /** The answer to a step after the transaction was canceled. */
    ended: number
    performedAgain: number
    canceled: number
    /** The answer to a cancellation of what was performed. */
    reversed: number
    delivered: number
    broken: number
  }
  close(): Promise<void>
}

export interface PaymeBench extends AskedBench {
  payme: PaymeDouble
}

export interface ClickBench extends AskedBench {
  click: ClickDouble
}

/** What an order costs in these tests: 125 000 soums. */
export const usualTiyin = 12_500_000

const toSoums = (tiyin: number): string => (tiyin / 100).toFixed(2)

async function openPayme(openShop: OpenAskedShop): Promise<PaymeBench> {
  const double = createPaymeDouble((call) => shop.send(call))
  const settings = { PAYME_MERCHANT_ID: double.merchantId, PAYME_KEY: double.key }
  const create = () => payme.create(payme.settings.parse(settings))
  const shop = await openShop({ name: 'payme', environment: settings, create })
  type Answer = Awaited<ReturnType<PaymeDouble['call']>>
  // Every call has its own id, which is told again.
  const read = ({ error, id: _, ...answer }: Answer): Told => ({ code: error?.code ?? 0, answer: { error, ...answer } })
  return {
    shop,
    payme: double,
    attempt(orderId, tiyin = usualTiyin) {
      const paid = double.transaction(orderId, tiyin)
      return {
        id: paid.id,
        begin: async () => read(await double.create(paid)),
        perform: async () => read(await double.perform(paid)),
        cancel: async () => read(await double.cancel(paid)),
      }
    },
    forgeries(orderId) {
      const paid = double.transaction(orderId, usualTiyin)
      const forge = async (how: { key?: string; address?: string }) =>
        read(await double.call('CreateTransaction', paid, how))
      return {
        'a wrong key': () => forge({ key: `${double.key}x` }),
        'no key': () => forge({ key: '' }),
        "another merchant's key": () => forge({ key: 'Rw712wMJspZBczFvrG09?bHkSNxnD4PY0n1C' }),
        'another address': () => forge({ address: '185.234.113.16' }),
        'no address': () => forge({ address: '' }),
      }
    },
    sendBytes: async (body) => [read(await double.sendBytes(body))],
    async genuine(orderId) {
      const paid = double.transaction(orderId, usualTiyin)
      const { id, amount, account, time } = paid
      const methods: Record<string, object> = {
        CheckPerformTransaction: { amount, account },
        CreateTransaction: paid,
        PerformTransaction: { id },
        CancelTransaction: { id, reason: 3 },
        CheckTransaction: { id },
        GetStatement: { from: time - 1_000, to: time + 1_000 },
      }
      return Object.entries(methods).map(([method, params]) => ({ method, params, id: 1 }))
    },
    sendSigned: async (call) => read(await double.sendBytes(Buffer.from(JSON.stringify(call)))),
    codes: {
      wrongAmount: -31001,
      unknownAccount: -31050,
      notPayable: -31051,
      otherPending: -31052,
      unknownTransaction: -31003,
      ended: -31008,
      performedAgain: 0,
      canceled: 0,
      reversed: 0,
      delivered: -31007,
      broken: -32400,
    },
    close: shop.close,
  }
}

async function openClick(openShop: OpenAskedShop): Promise<ClickBench> {
  const double = await startClick((call) => shop.send(call))
  const settings = {
    CLICK_SERVICE_ID: double.serviceId,
    CLICK_MERCHANT_ID: double.merchantId,
    CLICK_MERCHANT_USER_ID: double.merchantUserId,
    CLICK_SECRET_KEY: double.secretKey,
    CLICK_BASE_URL: double.url,
  }
  const create = () => click.create(click.settings.parse(settings), { fetchVendor: createVendorFetch() })
  const shop = await openShop({ name: 'click', environment: settings, create })
  type Answer = Awaited<ReturnType<ClickDouble['post']>>
  const read = (answer: Answer): Told => ({ code: answer.error, answer })
  return {
    shop,
    click: double,
    attempt(orderId, tiyin = usualTiyin) {
      const paid = double.transaction(orderId, toSoums(tiyin))
      return {
        id: paid.click_trans_id,
        begin: async () => read(await double.prepare(paid)),
        perform: async () => read(await double.complete(paid)),
        cancel: async () => read(await double.complete(paid, { error: '-5017', error_note: 'No money' })),
      }
    },
    forgeries(orderId) {
      const forge = async (changes: Record<string, string>) =>
        read(await double.prepare(double.transaction(orderId, toSoums(usualTiyin)), changes))
      return {
        'a wrong signature': () => forge({ sign_string: '0'.repeat(32) }),
        'no signature': () => forge({ sign_string: '' }),
        'a signature of another amount': async () => {
          const fields = double.fields(double.transaction(orderId, '1.00'), 0)
          return read(await double.post('prepare', { ...fields, amount: toSoums(usualTiyin) }))
        },
        "another merchant's service": () => forge({ service_id: '28016' }),
        'a signed Prepare sent to Complete': async () =>
          read(await double.post('complete', double.fields(double.transaction(orderId, toSoums(usualTiyin)), 0))),
        'a field that is there twice': async () => {
          const fields = double.fields(double.transaction(orderId, toSoums(usualTiyin)), 0)
          return read(await double.post('prepare', `${new URLSearchParams(fields)}&amount=1.00`))
        },
      }
    },
    sendBytes: async (body) => [
      read(await double.post('prepare', body.toString('latin1'))),
      read(await double.post('complete', body.toString('latin1'))),
      read(await double.post(undefined, body.toString('latin1'))),
    ],
    async genuine(orderId) {
      const paid = double.transaction(orderId, toSoums(usualTiyin))
      return [double.fields(paid, 0), double.fields({ ...paid, merchant_prepare_id: '1' }, 1)]
    },
    async sendSigned(call) {
      const { sign_string: _, ...told } = call as Record<string, unknown>
      const changes = Object.fromEntries(Object.entries(told).map(([name, value]) => [name, toText(value)]))
      const action = changes.action === '1' ? 1 : 0
      const paid = double.transaction('', '')
      return read(await double.post(action === 1 ? 'complete' : 'prepare', double.fields(paid, action, changes)))
    },
    codes: {
      wrongAmount: -2,
      unknownAccount: -5,
      notPayable: -9,
      otherPending: -9,
      unknownTransaction: -6,
      ended: -9,
      performedAgain: -4,
      canceled: -9,
      reversed: -4,
      delivered: -4,
      broken: -7,
    },
    async close() {
      await shop.close()
      await double.close()
    },
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The other side of every provider that asks, at a store that is opened for it. */
export const askedBenches = { payme: openPayme, click: openClick }

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const toOrderId = (number: number): string =>
  [...number.toString(32).padStart(10, '0')].map((digit) => letters[Number.parseInt(digit, 32)]).join('')

/** An adapter alone, with books that keep the promise of the port in memory. */
export const openMemoryShop: OpenAskedShop = async ({ create }) => {
  const provider = create()
  const books = createMemoryBooks()
  const dying = { ...books }
  let isDying = false
  const die =
    <Args extends unknown[], T>(move: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      const moved = await move(...args)
      if (isDying) throw new Error('the connection is lost')
      return moved
    }
  Object.assign(dying, { begin: die(books.begin), perform: die(books.perform), cancel: die(books.cancel) })
  const setStatus = (orderId: string, status: 'expired' | 'delivered') =>
    void Object.assign(books.orders.get(orderId) ?? {}, { status })
  return {
    provider,
    send: (call: AskingCall) => {
      books.now = new Date()
      return provider.answer({ ...call, now: books.now }, dying)
    },
    async order(tiyin = usualTiyin) {
      const id = toOrderId(3_141_592 + books.orders.size)
      books.orders.set(id, { amount: tiyin, status: 'waiting' })
      return id
    },
    deliver: async (orderId) => setStatus(orderId, 'delivered'),
    expire: async (orderId) => setStatus(orderId, 'expired'),
    find: books.find,
    async age(id, ms) {
      const known = books.transactions.get(id)
      if (known) books.transactions.set(id, { ...known, begunAt: new Date(known.begunAt.getTime() - ms) })
    },
    dieAfterMoving: (next) => {
      isDying = next
    },
    snapshot: async () => JSON.stringify([[...books.orders], [...books.transactions]]),
    close: async () => {},
  }
}

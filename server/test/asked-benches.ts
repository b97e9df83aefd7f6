import { type AskedShop, askedTiyin, openAskedShop } from './asked-shop.ts'
import { type ClickDouble, startClick } from './doubles/click.ts'
import { createPaymeDouble, type PaymeDouble } from './doubles/payme.ts'

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
    alreadyPaid: number
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

const toSoums = (tiyin: number): string => (tiyin / 100).toFixed(2)

async function openPayme(): Promise<PaymeBench> {
  const double = createPaymeDouble((call) => shop.send(call))
  const shop: AskedShop = await openAskedShop('payme', {
    PAYME_MERCHANT_ID: double.merchantId,
    PAYME_KEY: double.key,
  })
  type Answer = Awaited<ReturnType<PaymeDouble['call']>>
  // Every call has its own id, which is told again.
  const read = ({ error, id: _, ...answer }: Answer): Told => ({ code: error?.code ?? 0, answer: { error, ...answer } })
  return {
    shop,
    payme: double,
    attempt(orderId, tiyin = askedTiyin) {
      const paid = double.transaction(orderId, tiyin)
      return {
        id: paid.id,
        begin: async () => read(await double.create(paid)),
        perform: async () => read(await double.perform(paid)),
        cancel: async () => read(await double.cancel(paid)),
      }
    },
    forgeries(orderId) {
      const paid = double.transaction(orderId, askedTiyin)
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
      const paid = double.transaction(orderId, askedTiyin)
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
      alreadyPaid: -31053,
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

async function openClick(): Promise<ClickBench> {
  const double = await startClick((call) => shop.send(call))
  const shop: AskedShop = await openAskedShop('click', {
    CLICK_SERVICE_ID: double.serviceId,
    CLICK_MERCHANT_ID: double.merchantId,
    CLICK_MERCHANT_USER_ID: double.merchantUserId,
    CLICK_SECRET_KEY: double.secretKey,
    CLICK_BASE_URL: double.url,
  })
  type Answer = Awaited<ReturnType<ClickDouble['post']>>
  const read = (answer: Answer): Told => ({ code: answer.error, answer })
  return {
    shop,
    click: double,
    attempt(orderId, tiyin = askedTiyin) {
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
        read(await double.prepare(double.transaction(orderId, toSoums(askedTiyin)), changes))
      return {
        'a wrong signature': () => forge({ sign_string: '0'.repeat(32) }),
        'no signature': () => forge({ sign_string: '' }),
        'a signature of another amount': async () => {
          const fields = double.fields(double.transaction(orderId, '1.00'), 0)
          return read(await double.post('prepare', { ...fields, amount: toSoums(askedTiyin) }))
        },
        "another merchant's service": () => forge({ service_id: '28016' }),
        'a signed Prepare sent to Complete': async () =>
          read(await double.post('complete', double.fields(double.transaction(orderId, toSoums(askedTiyin)), 0))),
        'a field that is there twice': async () => {
          const fields = double.fields(double.transaction(orderId, toSoums(askedTiyin)), 0)
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
      const paid = double.transaction(orderId, toSoums(askedTiyin))
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
      alreadyPaid: -4,
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

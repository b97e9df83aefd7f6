import { createHash, createHmac } from 'node:crypto'
import invoiceAnswer from './answers/cryptopay-invoice.json' with { type: 'json' }
import { startVendor, type VendorAnswer, type VendorDouble, type VendorRequest } from './vendor-double.ts'

type Invoice = typeof invoiceAnswer & { paid_at?: string; paid_asset?: string; paid_amount?: string }

interface WebhookWish {
  token?: string
  at?: Date
  type?: string
  /** Written over the invoice that the update is about. */
  changes?: Record<string, unknown>
}

export interface CryptopayDouble extends VendorDouble {
  token: string
  invoices: Map<string, Invoice>
  pay(id: string): void
  expire(id: string): void
  /** Makes the update it would send now, with its signature. */
  webhook(id: string, wish?: WebhookWish): { body: Buffer; headers: Record<string, string> }
}

const problem = (code: number, name: string): VendorAnswer => ({
  status: code,
  body: { ok: false, error: { code, name } },
})

/** The answers to a revoked token and to a price below the least; it names no parameters. */
export const cryptopayRefusals = {
  all: problem(401, 'UNAUTHORIZED'),
  parameter: problem(400, 'AMOUNT_TOO_SMALL'),
}

/** Signs a body as Crypto Pay does: HMAC-SHA256 under the SHA256 of the token. */
export const signCryptopay = (body: string, token: string): Record<string, string> => ({
  'crypto-pay-api-signature': createHmac('sha256', createHash('sha256').update(token).digest())
    .update(body)
    .digest('hex'),
})

const fiats = ['USD', 'EUR', 'RUB', 'KZT', 'UZS']
const assets = ['USDT', 'TON', 'BTC', 'ETH', 'LTC', 'BNB', 'TRX', 'USDC']

/** Crypto Pay by help.crypt.bot/crypto-pay-api: no idempotency, the newest invoices first, ids as numbers. */
export async function startCryptopay(): Promise<CryptopayDouble> {
  const token = '42:QWERTY'
  const invoices = new Map<string, Invoice>()
  let last = invoiceAnswer.invoice_id

  const createInvoice = ({ body }: VendorRequest): VendorAnswer => {
    const { currency_type, fiat, amount, accepted_assets, expires_in, payload, ...wanted } = JSON.parse(body)
    if (currency_type !== 'fiat' || !fiats.includes(fiat)) return problem(400, 'FIAT_INVALID')
    if (!/^\d+(\.\d+)?$/.test(amount) || Number(amount) <= 0) return problem(400, 'AMOUNT_INVALID')
    const accepted = String(accepted_assets).split(',')
    if (!accepted.every((asset) => assets.includes(asset))) return problem(400, 'ACCEPTED_ASSETS_INVALID')
    if (!Number.isInteger(expires_in) || expires_in < 1 || expires_in > 2_678_400)
      return problem(400, 'EXPIRES_IN_INVALID')
    last += 1
    const hash = `IV${last}`
    const made = new Date()
    const invoice: Invoice = {
      ...invoiceAnswer,
      ...wanted,
      invoice_id: last,
      hash,
      fiat,
      amount,
      accepted_assets: accepted,
      payload,
      bot_invoice_url: `https://t.me/CryptoTestnetBot?start=${hash}`,
      created_at: made.toISOString(),
      expiration_date: new Date(made.getTime() + expires_in * 1000).toISOString(),
    }
    invoices.set(String(last), invoice)
    return { status: 200, body: { ok: true, result: invoice } }
  }

  const getInvoices = ({ query }: VendorRequest): VendorAnswer => {
    const ids = query.get('invoice_ids')?.split(',')
    const status = query.get('status')
    const [offset, count] = [Number(query.get('offset') ?? 0), Number(query.get('count') ?? 100)]
    if (count < 1 || count > 1_000) return problem(400, 'COUNT_INVALID')
    const chosen = [...invoices.values()]
      .reverse()
      .filter((invoice) => (!ids || ids.includes(String(invoice.invoice_id))) && (!status || invoice.status === status))
    return { status: 200, body: { ok: true, result: { items: chosen.slice(offset, offset + count) } } }
  }

  const double = await startVendor((request) => {
    if (request.headers['crypto-pay-api-token'] !== token) return cryptopayRefusals.all
    if (request.path === '/createInvoice') return createInvoice(request)
    return request.path === '/getInvoices' ? getInvoices(request) : problem(405, 'METHOD_NOT_FOUND')
  })

  const change = (id: string, changes: Partial<Invoice>) => void Object.assign(invoices.get(id) ?? {}, changes)
  return Object.assign(double, {
    token,
    invoices,
    pay: (id: string) =>
      change(id, {
        status: 'paid',
        paid_at: new Date().toISOString(),
        paid_asset: 'USDT',
        paid_amount: invoices.get(id)?.amount ?? '0',
      }),
    expire: (id: string) => change(id, { status: 'expired' }),
    webhook: (
      id: string,
      { token: key = token, at = new Date(), type = 'invoice_paid', changes }: WebhookWish = {},
    ) => {
      const payload = { ...invoices.get(id), ...changes }
      const body = JSON.stringify({ update_id: 1, update_type: type, request_date: at.toISOString(), payload })
      return { body: Buffer.from(body), headers: signCryptopay(body, key) }
    },
  })
}

import type { ImportReport, ImportRow } from '@olmos/contract/codes'

/** Sends a call to the store as one user. Answers the body of a success, and throws for anything else. */
export type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>

export interface Session {
  token: string
  nickname: string
  userId: number
}

interface Account {
  nickname: string
  password: string
}

/** Makes calls with the token, or as a visitor without one. */
export function callsTo(url: string, token = ''): Call {
  return async (method, path, body) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: token === '' ? headers : { ...headers, authorization: `Bearer ${token}` },
      body: body ? JSON.stringify(body) : null,
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
}

export const logIn = (call: Call, { nickname, password }: Account) =>
  call<Session>('POST', '/auth/login', { nickname, password })

export const register = (call: Call, { nickname, password }: Account) =>
  call<Session>('POST', '/auth/register', { nickname, password })

/** In major units, as admins type it. */
export interface Balance {
  balanceUsd?: number
  balanceRub?: number
}

export const setBalance = (operator: Call, userId: number | string, balance: Balance) =>
  operator('PUT', `/admin/users/${userId}/balance`, { ...balance, reason: 'journey' })

/** An offer as a product's page lists it. */
export interface ListedOffer {
  game_amount: number
  price_usd: number
  price_rub: number
  game_currency: string
  region_id: number
  available_count: number
}

export const listOffers = (call: Call, productId: number, regionId = 0) =>
  call<ListedOffer[]>('GET', `/products/${productId}/codes/${regionId}`)

export const addToCart = (call: Call, productId: number, offer: ListedOffer, quantity = 1) =>
  call('POST', '/cart/add', {
    productId,
    gameAmount: offer.game_amount,
    priceUsd: offer.price_usd,
    priceRub: offer.price_rub,
    gameCurrency: offer.game_currency,
    regionId: offer.region_id,
    quantity,
  })

/** Pays for the cart; answers the order's number. */
export async function payFromBalance(call: Call): Promise<string> {
  const { order } = await call<{ order: { id: string } }>('POST', '/payment/from-balance', { currency: 'RUB' })
  return order.id
}

/** One of both: lines, or the rows of a file. */
type ImportedCodes = { lines: readonly string[] } | { rows: readonly ImportRow[] }

type ImportPart = ImportedCodes & {
  productId: number
  regionId?: number
  /** The batch of the parts before it. */
  batchId?: number | undefined
}

/** Imports codes, or only rehearses it. */
export const importCodes = (operator: Call, part: ImportPart, dryRun = false) =>
  operator<ImportReport>('POST', `/admin/codes/bulk?dryRun=${dryRun}`, part)

import { createHmac, timingSafeEqual } from 'node:crypto'
import { toMajor } from '@olmos/contract/money'
import type { TopupService } from '@olmos/contract/topup-data'
import type { z } from 'zod'
import { done, type Outcome, rejected, unknown, type VendorFetch } from '../../../platform/vendor/vendor.ts'
import { accepted, jsonOf, type Notice } from '../../payments/provider.ts'
import { type Decimal, one } from '../../rates/rate.rules.ts'
import { askVendor, troubleOf } from '../ask-vendor.ts'
import { forged, refuseTooDear, type Supplier, type SupplierOrder, type SupplierRequest } from '../supplier.ts'
import type { FazercardsSettings } from '../supplier-settings.ts'
import {
  balanceAnswer,
  hundredthsOf,
  loginAnswer,
  notice,
  offersAnswer,
  orderAnswer,
  orderOf,
  partsOf,
  playerAnswer,
  priceOf,
  ratesAnswer,
  refusal,
  steamCost,
} from './fazercards.rules.ts'

/** Ids of games whose players can be looked for; another namespace than that of what is bought. */
const games: Partial<Record<TopupService, string>> = { pubg: 'pubg_mobile', freefire: 'free_fire' }

/** A replay of a key answers with the original order for 24 hours; close to that nothing is sent again. */
const replaySeconds = 20 * 3_600

/** Top-ups, Steam balance and gift cards by FazerCards, API version 2 (reseller.fazercards.com/en/docs). */
export function fazercards(settings: FazercardsSettings, fetchVendor: VendorFetch): Supplier {
  const headers = { 'x-api-key': settings.apiKey }

  const call = async <T>(schema: z.ZodType<T>, path: string, sent: { key?: string; post?: object } = {}) => {
    const answer = await askVendor(fetchVendor, `${settings.baseUrl}${path}`, { headers, ...sent })
    if ('kind' in answer) return answer
    const no = refusal.safeParse(answer.body).data
    const reason = no && (no.code ?? no.error)
    if (answer.status < 200 || answer.status > 299) return troubleOf(answer, reason)
    if (no) return troubleOf({ ...answer, status: 400 }, reason ?? 'refused')
    const read = schema.safeParse(answer.body)
    return read.success ? done(read.data) : unknown('bad_answer')
  }

  const asOrder = (answer: Outcome<z.infer<typeof orderAnswer>>, { wanted }: SupplierRequest) => {
    if (answer.kind !== 'done') return answer
    const order = orderOf(answer.value.order, { wantsCodes: wanted === 'code' })
    return order ? done<SupplierOrder>(order) : unknown('unknown_status')
  }

  /** What one unit costs there now. The price is read before every order, as the vendor takes no limit with one. */
  const readCost = async ({ path, category, offer, steam }: VendorOrder): Promise<Outcome<Decimal>> => {
    if (steam) {
      const answer = await call(ratesAnswer, '/steam-topup/rates')
      if (answer.kind !== 'done') return answer
      const rate =
        steam.currency === 'usd' ? one : priceOf(answer.value.rates[steam.currency === 'rub' ? 'RUB' : 'KZT'])
      return rate === undefined ? unknown('bad_answer') : done(steamCost(steam.amount, rate))
    }
    const list = path === '/giftcards/order' ? '/giftcards/cards' : '/topups/offers'
    const answer = await call(offersAnswer, `${list}?category_id=${encodeURIComponent(category)}`)
    if (answer.kind !== 'done') return answer
    const found = answer.value.offers.find(({ offer_id, card_id }) => (offer_id ?? card_id) === offer)
    if (!found) return rejected('OFFER_NOT_FOUND')
    const cost = priceOf(found.price_usd)
    return cost === undefined ? unknown('bad_answer') : done(cost)
  }

  const send = async (request: SupplierRequest): Promise<Outcome<SupplierOrder>> => {
    const order = orderFor(request)
    if (!order) return rejected('no_item')
    const cost = await readCost(order)
    if (cost.kind !== 'done') return cost
    const dear = refuseTooDear(cost.value, request.costAtMost, 'USD')
    if (dear) return dear
    return asOrder(await call(orderAnswer, order.path, { key: request.key, post: order.body }), request)
  }

  return {
    name: 'fazercards',
    sells: ['pubg', 'freefire', 'steam', 'code'],
    redeemsCodes: false,
    needsItem: true,
    // An order that is not known by its name is asked for by its key, which never says that it is not there.
    settlesWithinSeconds: 0,

    async checkPlayer(service, playerId) {
      const category_id = games[service]
      if (category_id === undefined) return unknown('no_such_check')
      const answer = await call(playerAnswer, '/topups/validate-id', {
        post: { category_id, fields: { player_id: playerId } },
      })
      // 422 is 'could not confirm', and any other no says nothing about the player either.
      if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
      const { valid, player_name } = answer.value
      return valid ? done({ name: player_name || playerId }) : rejected('not_found')
    },

    async checkSteamLogin(login) {
      const answer = await call(loginAnswer, '/steam-topup/check-login', { post: { steamLogin: login } })
      // A login that is new to it comes as `unverified`, and can be topped up all the same. A no to the question itself says
      // nothing of the login.
      if (answer.kind !== 'done') return unknown(answer.kind === 'rejected' ? answer.code : answer.why)
      return done({ canRefill: answer.value.can_refill })
    },

    order: send,

    async lookUp(request, { supplierOrderId, ageSeconds }) {
      if (supplierOrderId !== null) {
        const answer = await call(orderAnswer, `/orders/${encodeURIComponent(supplierOrderId)}`)
        // It gave the order this name: that it does not find it now proves nothing.
        return answer.kind === 'rejected' ? unknown(answer.code) : asOrder(answer, request)
      }
      if (ageSeconds > replaySeconds) return unknown('too_old')
      const replayed = await send(request)
      return replayed.kind === 'rejected' ? unknown(replayed.code, { facts: replayed.facts }) : replayed
    },

    async readBalance() {
      const answer = await call(balanceAnswer, '/balance')
      if (answer.kind !== 'done') return answer
      return done({ amount: hundredthsOf(answer.value.balance), currency: answer.value.currency })
    },

    async readSteamRates() {
      const answer = await call(ratesAnswer, '/steam-topup/rates')
      if (answer.kind !== 'done') return answer
      const { RUB, KZT } = answer.value.rates
      return done({ usd: '1', rub: RUB, kzt: KZT })
    },

    readWebhook(told) {
      if (!isSigned(settings.webhookSecret, told)) return forged('wrong signature')
      const read = notice.safeParse(jsonOf(told.body))
      if (!read.success) return forged('not a notice')
      const { event_id: eventKey, data } = read.data
      return { verified: true, events: [{ eventKey, about: { supplierOrderId: data.order_id } }], reply: accepted }
    },
  }
}

interface VendorOrder {
  path: string
  body: object
  /** What it is of; for Steam empty. */
  category: string
  offer: string
  steam?: SupplierRequest['steam']
}

function orderFor({ wanted, account, item, steam, code }: SupplierRequest): VendorOrder | undefined {
  if (code !== undefined) return undefined
  if (wanted === 'steam') {
    if (!steam) return undefined
    const body = { steamLogin: account, currency: steam.currency.toUpperCase(), amount: toMajor(steam.amount) }
    return { path: '/steam-topup/order', body, category: '', offer: '', steam }
  }
  const parts = partsOf(item)
  if (!parts) return undefined
  const { category: category_id, offer } = parts
  const of = { category: category_id, offer }
  return wanted === 'code'
    ? { ...of, path: '/giftcards/order', body: { category_id, card_id: offer, quantity: 1 } }
    : { ...of, path: '/topups/order', body: { category_id, offer_id: offer, fields: { player_id: account } } }
}

/** Both headers of the vendor's pages: `X-Webhook-Signature: sha256=<hex>` and `X-FazerCards-Signature: <hex>`. */
function isSigned(secret: string, { body, headers }: Notice): boolean {
  const told = headers['x-webhook-signature'] ?? headers['x-fazercards-signature']
  const hex = typeof told === 'string' ? /^(?:sha256=)?([0-9a-f]{64})$/.exec(told)?.[1] : undefined
  return (
    hex !== undefined && timingSafeEqual(createHmac('sha256', secret).update(body).digest(), Buffer.from(hex, 'hex'))
  )
}

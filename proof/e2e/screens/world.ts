import { setTimeout as sleep } from 'node:timers/promises'
import { firstNumbers } from '@olmos/contract/shop-numbers'
import {
  addToCart,
  type Call,
  callsTo,
  importCodes,
  type ListedOffer,
  listOffers,
  logIn,
  payFromBalance,
  register,
  type Session,
  setBalance,
} from '../../operator.ts'
import { ru } from '../ru.ts'
import { admin } from '../start-store.ts'

const password = 'pictures-only-7'
const patienceMs = 30_000
const pauseMs = 200

export interface World {
  /** Has bought, has money, has things in the cart. */
  customer: Session
  /** Registered a minute ago. */
  newcomer: Session
  admin: Session
  receipt: string
  /** An order whose code was reviewed, and the review answered. */
  reviewed: string
  /** Orders of top-ups by what became of them. */
  topups: Record<keyof typeof players, string>
  /** An order whose payment by card nobody has made yet, and its pay page. */
  awaiting: string
  payUrl: string
}

interface Names {
  customer: string
  newcomer: string
}

/** Players by what the sandbox does with their top-ups. */
const players = { delivered: '5123456', refused: '5126001', silent: '5126004' }

/** Fills a store that has just been started with people and orders to take pictures of. */
export async function makeWorld(url: string, names: Names): Promise<World> {
  const anybody = callsTo(url)
  const operator = await logIn(anybody, admin)
  const customer = await register(anybody, { nickname: names.customer, password })
  const newcomer = await register(anybody, { nickname: names.newcomer, password })
  const asAdmin = callsTo(url, operator.token)
  await setBalance(asAdmin, customer.userId, { balanceUsd: 64.5, balanceRub: 12_480 })

  const call = callsTo(url, customer.token)
  const buying = { call, asAdmin }
  await buyCodes(buying, [['valorant'], ['mobile-legends'], ['genshin-impact']], 1)
  const reviewed = await buyCodes(buying, [['telegram']], 1)
  await reviewOrder(buying, reviewed)
  const topups = {
    delivered: await buyDiamonds(call, players.delivered),
    refused: await buyDiamonds(call, players.refused),
    silent: await buyDiamonds(call, players.silent),
  }
  const receipt = await buyCodes(buying, [['roblox', 'itunes']], 2)
  await putIntoCart(buying, 'valorant', 1)
  const payment = await payByCard(call)
  await putIntoCart(buying, 'roblox', 2)
  await putIntoCart(buying, 'mobile-legends', 1)
  await fillDesk(asAdmin, anybody, customer)
  await untilItIs(call, topups.refused, 'refunded')
  return {
    customer,
    newcomer,
    admin: operator,
    receipt,
    reviewed,
    topups,
    awaiting: payment.order_id,
    payUrl: payment.pay_url,
  }
}

/** People with the longest nicknames there can be; another pair for each number under ten. */
export const longNicknames = (count: number) => ({
  customer: `Kamila_Abdurahmonova_Toshkent_0${count}`,
  newcomer: `Valijon_Xudoyberdiyev_Samarqand${count}`,
})

/** Half of the time that an unpaid order waits. */
const freshMs = firstNumbers.reservation_minutes * 30_000

/** Keeps a world of a store, and makes another before what is still to be paid for in it expires. */
export function keepFresh(url: string, toNames: (count: number) => Names) {
  let made: { world: Promise<World>; at: number } | undefined
  let count = 0
  return async (): Promise<{ url: string; world: World }> => {
    if (!made || Date.now() - made.at > freshMs) made = { world: makeWorld(url, toNames(count++)), at: Date.now() }
    return { url, world: await made.world }
  }
}

/** What is sold under names as long as a shop may give it, in each language. */
const additions = {
  ru: 'с дополнительными вознаграждениями за предварительный заказ',
  en: 'with additional rewards for everybody who has preordered it',
  uz: 'oldindan buyurtma qilganlar uchun qoʻshimcha mukofotlar bilan',
}

interface Renamed {
  id: number
  name: string
  translations: Partial<Record<'ru' | 'en' | 'uz', string | { name: string }>>
}

/** Gives every product and region of a store of one's own a long name: everybody on it sees them. */
export async function lengthenNames(url: string): Promise<void> {
  const { token } = await logIn(callsTo(url), admin)
  const operator = callsTo(url, token)
  for (const list of ['products', 'regions'] as const) {
    const { data } = await operator<{ data: Renamed[] }>('GET', `/admin/${list}?pageSize=100`)
    for (const { id, name, translations } of data) {
      const longIn = (language: 'en' | 'uz') => {
        const known = translations[language]
        const text = `${(typeof known === 'object' ? known.name : known) || name} ${additions[language]}`
        return list === 'products' ? { ...Object(known), name: text } : text.slice(0, regionNameLength)
      }
      const inRussian = `${name} ${additions.ru}`
      await operator('PUT', `/admin/${list}/${id}`, {
        name: list === 'products' ? inRussian : inRussian.slice(0, regionNameLength),
        translations: { en: longIn('en'), uz: longIn('uz') },
      })
    }
  }
}

/** Longer than any country is called. */
const regionNameLength = 40

const messages = [
  ru('admin.codes.edit', { code: 'Roblox пишет, что уже использован. Чек приложил, помогите, пожалуйста.' }),
  'Qachon Xbox kartalari boʻladi?',
]

/** What a buyer says of a product, and what the store answers. */
const review = {
  text: 'Код пришёл сразу, Premium подключился без вопросов.',
  answer: 'Рады, что всё получилось. Спасибо за отзыв!',
}

/** What an operator has on the desk: messages of customers, codes in the pool of PUBG, generated ones. */
async function fillDesk(asAdmin: Call, anybody: Call, { nickname, userId }: Session): Promise<void> {
  for (const message of messages) {
    await anybody('POST', '/support', { nickname, userId: String(userId), message, contact: '@kamila_2007' })
  }
  type Named = { data: { id: number }[] }
  const first = async (path: string) => (await asAdmin<Named>('GET', path)).data[0]?.id
  const lines = ['UC60-JUPITER', 'UC60-MARS', 'UC60-VENUS']
  const denomination_id = await first('/pubg-admin/denominations')
  await asAdmin('POST', '/pubg-admin/codes/bulk?dryRun=false', { denomination_id, lines })
  const productId = await first('/admin/products?search=freefire-codes')
  const denominationId = await first('/freefire-admin/denominations')
  await asAdmin('POST', '/admin/generated-codes/generate', { productId, denominationId, count: 5, published: true })
}

interface Placed {
  order: { id: string }
}

/** Whose cart it is, and who fills the shelves. */
interface Buying {
  call: Call
  asAdmin: Call
}

/** Buys carts of codes from the balance, one after the other; answers the last order. */
async function buyCodes(buying: Buying, carts: readonly (readonly string[])[], quantity: number): Promise<string> {
  let last = ''
  for (const slugs of carts) {
    for (const slug of slugs) await putIntoCart(buying, slug, quantity)
    last = await payFromBalance(buying.call)
  }
  return last
}

/** Reviews the first line of an order, and answers in the name of the store. */
async function reviewOrder({ call, asAdmin }: Buying, orderId: string): Promise<void> {
  const { data: lines } = await call<{ data: { item_id: number }[] }>('GET', `/orders/${orderId}/reviews`)
  await call('PUT', `/orders/${orderId}/items/${lines[0]?.item_id}/review`, { stars: 5, text: review.text })
  const { data: listed } = await asAdmin<{ data: { id: number }[] }>('GET', `/admin/reviews?search=${orderId}`)
  await asAdmin('PUT', `/admin/reviews/${listed[0]?.id}/answer`, { answer: review.answer })
}

async function buyDiamonds(call: Call, playerId: string): Promise<string> {
  const { offers } = await call<{ offers: { item_id: string; name: string; price: number; price_rub: number }[] }>(
    'GET',
    '/freefire/offers',
  )
  const offer = offers[2]
  if (!offer) throw new Error('there are no diamonds')
  const topupData = {
    service: 'freefire',
    player_id: playerId,
    offer_id: offer.item_id,
    offer_name: offer.name,
    price_usd: offer.price,
    price_rub: offer.price_rub,
  }
  const { order } = await call<Placed>('POST', '/orders/topup', { topupData, currency: 'RUB' })
  return order.id
}

async function untilItIs(call: Call, orderId: string, status: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  while ((await call<{ status: string }>('GET', `/orders/${orderId}`)).status !== status) {
    if (Date.now() > deadline) throw new Error(`order ${orderId} is not ${status}`)
    await sleep(pauseMs)
  }
}

async function putIntoCart({ call, asAdmin }: Buying, slug: string, quantity: number): Promise<void> {
  const product = await call<{ id: number; hasGlobalCodes: boolean; regions: { id: number }[] }>(
    'GET',
    `/products/slug/${slug}`,
  )
  const region = product.hasGlobalCodes ? 0 : (product.regions[0]?.id ?? 0)
  const packages = await listOffers(call, product.id, region)
  const chosen = packages.find((entry) => entry.available_count >= quantity) ?? packages[0]
  if (!chosen) throw new Error(`${slug} has no package`)
  // Every world takes from the same shelves, and the journeys before took from them too.
  if (chosen.available_count < quantity) await restock(asAdmin, product.id, chosen)
  await addToCart(call, product.id, chosen, quantity)
}

async function restock(asAdmin: Call, productId: number, { region_id, ...offer }: ListedOffer): Promise<void> {
  const rest = [offer.price_usd, offer.price_rub, offer.game_amount].join(',')
  const lines = Array.from({ length: 20 }, () => `WORLD-${crypto.randomUUID()},${rest}`)
  await importCodes(asAdmin, { productId, regionId: region_id, lines })
}

async function payByCard(call: Call): Promise<{ pay_url: string; order_id: string }> {
  const { data } = await call<{ data: { price_rub: number; quantity: number }[] }>('GET', '/cart')
  const amount = data.reduce((sum, item) => sum + item.price_rub * item.quantity, 0)
  return call('POST', '/payment/create', { amount, currency: 'RUB', type: 'order' })
}

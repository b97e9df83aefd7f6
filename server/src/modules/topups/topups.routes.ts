import { randomUUID } from 'node:crypto'
import { accountFieldsApi } from '@olmos/contract/account-fields'
import { one } from '@olmos/contract/decimal'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import type { ShopNumbers } from '@olmos/contract/shop-numbers'
import type { AccountValues, SteamCurrency } from '@olmos/contract/topup-data'
import { topupsApi } from '@olmos/contract/topups'
import type { Context } from '../../platform/context.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { nameInLanguage, onShelfUpTo } from '../catalogue/availability.ts'
import { isDelivered, isPoolSpent } from '../pricing/delivered.ts'
import { type Commission, readCommissions } from '../pricing/price-rules.ts'
import { readNumbers } from '../shop/shop.ts'
import type { PlayerCheck } from './player-check.ts'
import { priceSteam } from './price-steam.ts'
import type { Suppliers } from './suppliers.ts'
import {
  findTopupProduct,
  findTopupProductById,
  inLanguage,
  isTopupProduct,
  type ReadAccount,
  readAccount,
  type TopupProduct,
} from './topups.ts'

interface ListedOfferRow {
  id: number
  /** The supplier's name for it. */
  item_id: string | null
  name: string
  game_amount: number
  price_usd: number
  price_rub: number
  is_popular: boolean
  /** How many can be ordered: codes of its pool that a supplier spends, and one order's worth where it is delivered without. */
  available: number
}

/** Lists the offers of a top-up on sale, smallest first; each pool is counted no further than it is shown. */
const listTopupOffers = (queries: Queries, slug: string, language: Language) =>
  queries.rows<ListedOfferRow>(sql`
    SELECT offer.id, offer.item_id, offer.game_amount,
      coalesce(${nameInLanguage(language)}, offer.game_amount || ' ' || product.game_currency) AS name,
      offer.price_usd, offer.price_rub, offer.is_popular,
      least(${LIMITS.stockShownMax}::int,
        CASE WHEN ${isPoolSpent} THEN ${onShelfUpTo(sql`${LIMITS.stockShownMax}`)} ELSE 0 END
        + CASE WHEN ${isDelivered} THEN ${LIMITS.topupUnitsMax}::int ELSE 0 END) AS available
    FROM product JOIN offer ON offer.product_id = product.id AND offer.region_id IS NULL AND offer.is_active
    WHERE ${isTopupProduct(slug)} AND product.is_active ORDER BY offer.game_amount, offer.id`)

interface Calculated {
  amount: number
  inputCurrency: SteamCurrency
  userBalanceCurrency: 'usd' | 'rub'
}

const shownRange = (numbers: ShopNumbers) => ({
  least_usd: numbers.steam_least_usd,
  least_rub: numbers.steam_least_rub,
  least_kzt: numbers.steam_least_kzt,
  most_usd: numbers.steam_most_usd,
})

const shownCommission = ({ hundredths, leastUsd, leastRub }: Commission) => ({
  percent: hundredths / 100,
  least_usd: toMajor(leastUsd),
  least_rub: toMajor(leastRub),
})

export function topupsRoutes({ serve, database }: Context, players: PlayerCheck): void {
  const readProduct = async (slug: string): Promise<TopupProduct> => {
    const product = await findTopupProduct(database, slug)
    if (!product?.is_active) throw new Failure('NOT_FOUND')
    return product
  }

  const check = async (slug: string, given: AccountValues, address: string): Promise<string | null> => {
    const product = await readProduct(slug)
    return players.check(product, readAccount(product.fields, given), address)
  }

  const calculate = async (productId: number, { amount, inputCurrency, userBalanceCurrency }: Calculated) => {
    const price = await priceSteam(database, { amount: toMinor(amount), currency: inputCurrency, productId })
    return {
      success: true as const,
      calculation: {
        amountInUserCurrency: toMajor(userBalanceCurrency === 'usd' ? price.priceUsd : price.priceRub),
        amountWithCommission: toMajor(price.priceUsd),
        commission: toMajor(price.commissionUsd),
      },
    }
  }

  serve.shared(topupsApi.fields, async ({ params, language }) => {
    const { id, pricing, player_check, promised_minutes, delivery_minutes, presets, fields } = await readProduct(
      params.slug,
    )
    return {
      pricing,
      player_check,
      promised_minutes,
      delivery_minutes,
      presets,
      commission: pricing === 'amount' ? shownCommission((await readCommissions(database))(id)) : null,
      range: pricing === 'amount' ? shownRange(await readNumbers(database)) : null,
      fields: fields.map(({ label, hint, is_required, options, ...field }) => ({
        ...field,
        label: inLanguage(label, language),
        hint: inLanguage(hint, language),
        required: is_required,
        options: options.map(({ value, label }) => ({ value, label: inLanguage(label, language) })),
      })),
    }
  })

  serve.shared(topupsApi.offers, async ({ params, language }) => {
    const { slug } = await readProduct(params.slug)
    const offers = await listTopupOffers(database, slug, language)
    return {
      offers: offers.map((offer) => ({
        id: offer.id,
        name: offer.name,
        game_amount: offer.game_amount,
        price_usd: toMajor(offer.price_usd),
        price_rub: toMajor(offer.price_rub),
        available: offer.available,
        is_popular: offer.is_popular,
      })),
    }
  })

  serve(topupsApi.check, async ({ params, body, address }) => ({
    success: true as const,
    player_name: await check(params.slug, body.account, address),
  }))

  serve(topupsApi.calculate, async ({ params, body }) => {
    const { id, pricing } = await readProduct(params.slug)
    if (pricing !== 'amount') throw new Failure('NOT_FOUND')
    return calculate(id, body)
  })

  // The calls of the specification, over the same.
  serve(topupsApi.checkFreefirePlayer, async ({ body, address }) => ({
    success: true as const,
    player_name: (await check('freefire', { player_id: body.playerID }, address)) ?? body.playerID,
  }))

  serve(topupsApi.checkPubgPlayer, async ({ body, address }) => {
    const name = (await check('pubg', { player_id: body.playerID }, address)) ?? body.playerID
    return { success: true as const, data: { status: 'success' as const, player_name: name } }
  })

  serve.shared(topupsApi.freefireOffers, async ({ language }) => ({
    offers: (await listTopupOffers(database, 'freefire', language)).flatMap(
      ({ id, item_id, name, game_amount, ...offer }) =>
        // An offer without a name at the supplier can't be ordered by it.
        item_id === null
          ? []
          : [
              {
                id,
                item_id,
                name,
                game_amount,
                is_active: true,
                price: toMajor(offer.price_usd),
                price_rub: toMajor(offer.price_rub),
              },
            ],
    ),
  }))

  serve.shared(topupsApi.pubgPackages, async ({ language }) =>
    (await listTopupOffers(database, 'pubg', language)).map((offer) => ({
      id: offer.id,
      uc_amount: offer.game_amount,
      price_usd: toMajor(offer.price_usd),
      price_rub: toMajor(offer.price_rub),
      available_count: offer.available,
    })),
  )

  serve(topupsApi.calculateSteam, async ({ body }) =>
    // It tells a price also while nothing is sold.
    calculate((await findTopupProduct(database, 'steam'))?.id ?? 0, body),
  )
}

/** More than any offer costs: nothing of the sandbox is real. */
const anyCost = 1_000_000_000n * one

const findItem = (queries: Queries, product: TopupProduct, offerId: number) =>
  queries.maybe<{ item_id: string | null }>(sql`
    SELECT item_id FROM offer WHERE id = ${offerId} AND product_id = ${product.id} AND deleted_at IS NULL`)

/** Registers the operator's trial of a top-up, published or not: nothing is sold, and only the sandbox delivers. */
export function tryTopupAdmin(
  { serve, database, suppliers }: Context & { suppliers: Suppliers },
  players: PlayerCheck,
): void {
  const deliver = async (product: TopupProduct, account: ReadAccount, offerId: number) => {
    const offer = await findItem(database, product, offerId)
    if (!offer) throw new Failure('OFFER_NOT_FOUND')
    if (!suppliers.sandbox) return { delivery: null, why: null }
    const order = { key: randomUUID(), wanted: 'topup' as const, account: account.values, item: offer.item_id }
    const answer = await suppliers.sandbox.order({ ...order, costAtMost: anyCost })
    if (answer.kind === 'done') return { delivery: answer.value.status, why: answer.value.why ?? null }
    return { delivery: answer.kind, why: answer.kind === 'rejected' ? answer.code : answer.why }
  }

  const attempt = async (productId: number, given: AccountValues, offerId: number | undefined, address: string) => {
    const product = await findTopupProductById(database, productId)
    if (!product) throw new Failure('NOT_FOUND')
    const account = readAccount(product.fields, given)
    const playerName = await players.check(product, account, address)
    const outcome = offerId === undefined ? { delivery: null, why: null } : await deliver(product, account, offerId)
    return { account: account.text, player_name: playerName, ...outcome }
  }

  serve(accountFieldsApi.try, async ({ params, body, address }) => ({
    data: await attempt(params.id, body.account, body.offerId, address),
  }))
}

import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/minor-units'
import { type OffersPreview, type OfferWish, offerChangesApi, type PreviewedOffer } from '@olmos/contract/offer-changes'
import type { PriceUnderFloor } from '@olmos/contract/offers'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { toPage } from '../../platform/database/lists.ts'
import { type Queries, type Sql, sql, type Tx } from '../../platform/database/queries.ts'
import { agreedUpTo, lockChosen, lockPrices, offerName, withOfferName } from '../pricing/reprice.ts'
import { isChosen, toChosen } from '../pricing/wanted-prices.ts'

/**
 * Makes the common table expression `change`: each chosen offer that would be offered otherwise than it is, before and after.
 * Top-ups are neither popular nor do they run out of codes. Turning on or off also decides what the shop keeps off sale,
 * because an operator's word counts more than its own.
 */
const changes = ({ selection, set: { is_active, is_popular, low_stock } }: OfferWish): Sql => sql`
  change AS MATERIALIZED (
    SELECT *, is_active AND NOT was_active AS is_turned_on,
      is_active AND NOT was_active AND coalesce(price_usd < floor_usd OR price_rub < floor_rub, false) AS is_under_floor
    FROM (
      SELECT offer.id AS offer_id, offer.product_id, offer.price_usd, offer.price_rub, offer.floor_usd, offer.floor_rub,
        offer.is_active AS was_active, coalesce(${is_active ?? null}::boolean, offer.is_active) AS is_active,
        offer.under_floor_since IS NOT NULL AS was_kept_off,
        offer.under_floor_since IS NOT NULL AND ${is_active ?? null}::boolean IS NULL AS is_kept_off,
        offer.is_popular AS was_popular, CASE WHEN product.kind = 'code' THEN coalesce(${is_popular ?? null}::boolean, offer.is_popular)
          ELSE offer.is_popular END AS is_popular,
        offer.low_stock AS was_low_stock,
        CASE WHEN product.kind = 'code' THEN ${low_stock === undefined ? sql`offer.low_stock` : sql`${low_stock}::int`}
          ELSE offer.low_stock END AS low_stock
      FROM offer JOIN product ON product.id = offer.product_id AND product.deleted_at IS NULL
      WHERE ${isChosen(toChosen(selection))}) AS chosen
    WHERE (was_active, was_kept_off, was_popular, was_low_stock)
      IS DISTINCT FROM (is_active, is_kept_off, is_popular, low_stock))`

type Summary = Omit<OffersPreview, 'data'>

/** All that decides what would be written, in a digest: two that are equal write the same. */
const summarize = (queries: Queries, wish: OfferWish) =>
  queries.one<Summary>(sql`
    WITH ${changes(wish)}
    SELECT count(*)::int AS total, count(*) FILTER (WHERE is_turned_on)::int AS turned_on,
      count(*) FILTER (WHERE is_under_floor)::int AS under_floor,
      md5(coalesce(string_agg(concat_ws(':', offer_id, was_active, is_active, was_kept_off, is_kept_off, was_popular,
        is_popular, coalesce(was_low_stock, -1), coalesce(low_stock, -1), is_under_floor), ' ' ORDER BY offer_id), ''))
        AS digest
    FROM change`)

interface PreviewRow extends Omit<PreviewedOffer, 'before' | 'after'> {
  was_active: boolean
  was_kept_off: boolean
  was_popular: boolean
  was_low_stock: number | null
  is_active: boolean
  is_kept_off: boolean
  is_popular: boolean
  low_stock: number | null
}

/**
 * Finds every offer that would change, and shows a page of them. It writes nothing; call it in a snapshot, so that the digest
 * is of what is shown.
 */
async function previewOffers(queries: Queries, wish: OfferWish, page: number): Promise<OffersPreview> {
  const [rows, summary] = await Promise.all([
    queries.rows<PreviewRow>(sql`
      WITH ${changes(wish)}
      SELECT ${offerName}, was_active, was_kept_off, was_popular, was_low_stock, change.is_active, is_kept_off,
        change.is_popular, change.low_stock, is_under_floor
      FROM change JOIN offer ON offer.id = change.offer_id JOIN product ON product.id = offer.product_id ${withOfferName}
      ORDER BY product.position, product.id, offer.id ${toPage({ page, pageSize: LIMITS.listPageSize })}`),
    summarize(queries, wish),
  ])
  return { data: rows.map(shownChange), ...summary }
}

const toSale = (isActive: boolean, isKeptOff: boolean) => (isActive ? 'on' : isKeptOff ? 'kept_off' : 'off')

function shownChange({
  was_active,
  was_kept_off,
  was_popular,
  was_low_stock,
  is_active,
  is_kept_off,
  is_popular,
  low_stock,
  ...named
}: PreviewRow): PreviewedOffer {
  return {
    ...named,
    before: { sale: toSale(was_active, was_kept_off), is_popular: was_popular, low_stock: was_low_stock },
    after: { sale: toSale(is_active, is_kept_off), is_popular, low_stock },
  }
}

interface ConfirmedChange {
  wish: OfferWish
  /** The digest of the preview that the admin has seen. */
  seen: string
  /** Why some of it is sold under its cost. */
  underFloor?: string | undefined
}

/**
 * Changes how many offers are offered exactly as it was previewed, or none of them: STATE_CONFLICT. What comes on sale for less
 * than it costs wants a written reason, else FLOOR_PRICE names some of it. Each change is in the audit log by itself.
 */
async function changeOffers(tx: Tx, adminId: number, { wish, seen, underFloor }: ConfirmedChange): Promise<number> {
  await lockPrices(tx)
  await lockChosen(tx, toChosen(wish.selection))
  const { total, under_floor, digest } = await summarize(tx, wish)
  if (digest !== seen) throw new Failure('STATE_CONFLICT', { reason: 'offers_moved' })
  if (total === 0) return 0
  if (under_floor > 0 && underFloor === undefined) {
    throw new Failure('FLOOR_PRICE', { prices: await readUnderFloor(tx, wish) })
  }
  // It reads what is there before the change, so that it has to come first.
  await writeChanges(tx, adminId, wish, underFloor)
  await tx.run(sql`
    WITH ${changes(wish)}
    UPDATE offer SET is_active = change.is_active, is_popular = change.is_popular, low_stock = change.low_stock,
      under_floor_since = CASE WHEN change.is_kept_off THEN offer.under_floor_since END,
      agreed_usd = CASE WHEN is_under_floor THEN ${agreedUpTo(sql`offer.floor_usd`)} ELSE offer.agreed_usd END,
      agreed_rub = CASE WHEN is_under_floor THEN ${agreedUpTo(sql`offer.floor_rub`)} ELSE offer.agreed_rub END
    FROM change WHERE offer.id = change.offer_id`)
  tx.notify('catalogue', 'offers')
  return total
}

const shownOfRefusal = 20

async function readUnderFloor(tx: Tx, wish: OfferWish): Promise<PriceUnderFloor[]> {
  const rows = await tx.rows<PriceUnderFloor>(sql`
    WITH ${changes(wish)}
    SELECT offer.game_amount, change.price_usd, change.price_rub, coalesce(change.floor_usd, 0) AS floor_usd,
      coalesce(change.floor_rub, 0) AS floor_rub
    FROM change JOIN offer ON offer.id = change.offer_id WHERE is_under_floor ORDER BY offer.id LIMIT ${shownOfRefusal}`)
  return rows.map(({ game_amount, ...prices }) => ({
    game_amount,
    price_usd: toMajor(prices.price_usd),
    price_rub: toMajor(prices.price_rub),
    floor_usd: toMajor(prices.floor_usd),
    floor_rub: toMajor(prices.floor_rub),
  }))
}

/** Writes of each offer what changes of it, and of each that comes on sale under its cost that the admin has agreed, and why. */
const writeChanges = (tx: Tx, adminId: number, wish: OfferWish, reason: string | undefined) =>
  tx.run(sql`
    WITH ${changes(wish)}
    INSERT INTO audit_entry (actor_id, action, subject, before, after)
    SELECT ${adminId}, action, 'offer:' || offer_id, before, after FROM (
      SELECT offer_id, 'offer.under_floor' AS action, NULL::jsonb AS before, jsonb_build_object('reason', ${reason ?? null}::text,
        'price_usd', price_usd / 100.0, 'price_rub', price_rub / 100.0,
        'floor_usd', floor_usd / 100.0, 'floor_rub', floor_rub / 100.0) AS after
      FROM change WHERE is_under_floor
      UNION ALL
      SELECT offer_id, 'offer.update', fields.before, fields.after FROM change CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(name, field.before) AS before, jsonb_object_agg(name, field.after) AS after
        FROM (VALUES ('is_active', to_jsonb(was_active), to_jsonb(is_active)),
          ('kept_off', to_jsonb(was_kept_off), to_jsonb(is_kept_off)),
          ('is_popular', to_jsonb(was_popular), to_jsonb(is_popular)),
          ('low_stock', to_jsonb(was_low_stock), to_jsonb(low_stock))) AS field (name, before, after)
        WHERE field.before IS DISTINCT FROM field.after) AS fields) AS entry
    ORDER BY offer_id, action DESC`)

export function offerChangesAdmin({ serve, database }: Context): void {
  serve(offerChangesApi.preview, ({ body }) =>
    database.snapshot((queries) => previewOffers(queries, body.wish, body.page)),
  )

  serve(offerChangesApi.apply, async ({ user, body }) => ({
    data: {
      changed: await database.transaction((tx) => changeOffers(tx, user.id, body), {
        statementMs: SERVER_LIMITS.repricingMs,
      }),
    },
  }))
}

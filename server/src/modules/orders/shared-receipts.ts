import { createHash, randomBytes, randomInt } from 'node:crypto'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import { sharedReceiptsApi } from '@olmos/contract/shared-receipts'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import { revealCodes } from '../codes/reveal-codes.ts'
import { findOwnOrder, isOrderId } from './orders.ts'

const { wrongPins, openings, forgottenDays } = SERVER_LIMITS.sharedReceipt
const tokenBytes = 24
const pinDigits = 6

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const newPin = (): string => String(randomInt(10 ** pinDigits)).padStart(pinDigits, '0')

/** Needs `shared_receipt` in scope. */
const isOpen = sql`(shared_receipt.expires_at > now() AND wrong_pins < ${wrongPins} AND openings < ${openings})`

interface ShareRow {
  expires_at: Date
  openings: number
  opened_at: Date | null
}

const findShare = (queries: Queries, userId: number, orderId: string) =>
  queries.maybe<ShareRow>(sql`
    SELECT shared_receipt.expires_at, openings, opened_at FROM shared_receipt
    JOIN orders ON orders.id = order_id WHERE order_id = ${orderId} AND user_id = ${userId}
      AND ${isOpen}`)

/** Replaces an earlier link of the order. Undefined for an order of somebody else. */
const putShare = (
  queries: Queries,
  share: { orderId: string; userId: number; token: string; pin: string; hours: number },
) =>
  queries.maybe<{ expires_at: Date }>(sql`
    INSERT INTO shared_receipt (order_id, link_digest, pin_digest, expires_at)
    SELECT id, ${digest(share.token)}, ${digest(`${share.token} ${share.pin}`)}, now() + make_interval(hours => ${share.hours})
    FROM orders WHERE id = ${share.orderId} AND user_id = ${share.userId}
    ON CONFLICT (order_id) DO UPDATE SET link_digest = EXCLUDED.link_digest, pin_digest = EXCLUDED.pin_digest,
      created_at = now(), expires_at = EXCLUDED.expires_at, wrong_pins = 0, openings = 0, opened_at = NULL
    RETURNING expires_at`)

const deleteShare = (queries: Queries, userId: number, orderId: string) =>
  queries.run(sql`
    DELETE FROM shared_receipt USING orders
    WHERE orders.id = order_id AND order_id = ${orderId} AND user_id = ${userId}`)

interface TryRow {
  is_right: boolean
  tries_left: number
  order_id: string
  user_id: number
  expires_at: Date
}

/**
 * Counts a try of a link, in one statement: however many guess at once, no more are answered than there are tries. None
 * for a link that nobody made, that is over, or whose owner is blocked.
 */
function countTry(queries: Queries, token: string, pin: string) {
  const isRight = sql`(pin_digest = ${digest(`${token} ${pin}`)})`
  return queries.maybe<TryRow>(sql`
    UPDATE shared_receipt SET
      wrong_pins = wrong_pins + (NOT ${isRight})::int,
      openings = openings + ${isRight}::int,
      opened_at = CASE WHEN ${isRight} THEN now() ELSE opened_at END
    FROM orders JOIN users ON users.id = orders.user_id
    WHERE link_digest = ${digest(token)} AND orders.id = order_id AND users.blocked_at IS NULL AND ${isOpen}
    RETURNING ${isRight} AS is_right, ${wrongPins} - wrong_pins AS tries_left,
      order_id, user_id, shared_receipt.expires_at`)
}

/** Deletes links that were over long ago; what was shown past them stays written down. */
export const forgetOldShares = (database: Database): Promise<number> =>
  database.run(sql`DELETE FROM shared_receipt WHERE expires_at < now() - make_interval(days => ${forgottenDays})`)

const shownShare = ({ expires_at, openings, opened_at }: ShareRow) => ({
  expires_at: expires_at.toISOString(),
  openings,
  opened_at: opened_at?.toISOString() ?? null,
})

export function sharedReceiptsRoutes({ serve, database, vault, config }: Context): void {
  const { receiptsPerUser, sharedReceiptsPerAddress } = SERVER_LIMITS.rates
  const perUser = createRateLimiter(database, { name: 'receiptsPerUser', ...receiptsPerUser }, config.rateLimits)
  const perAddress = createRateLimiter(
    database,
    { name: 'sharedReceiptsPerAddress', ...sharedReceiptsPerAddress },
    config.rateLimits,
  )

  async function findOrder(userId: number, givenId: string, language: Language) {
    const id = givenId.toUpperCase()
    const order = isOrderId(id) ? await findOwnOrder(database, userId, id, language) : undefined
    if (!order) throw new Failure('NOT_FOUND')
    return order
  }

  serve(sharedReceiptsApi.read, async ({ user, params, language }) => {
    const { id } = await findOrder(user.id, params.id, language)
    const share = await findShare(database, user.id, id)
    return { share: share ? shownShare(share) : null }
  })

  serve(sharedReceiptsApi.make, async ({ user, params, body, language }) => {
    await perUser.count(String(user.id))
    const { id, status, items } = await findOrder(user.id, params.id, language)
    if (!items.some((item) => item.item_type === 'code' && item.status === 'delivered')) {
      throw new Failure('STATE_CONFLICT', { reason: 'no_codes_to_share', status })
    }
    const [token, pin] = [randomBytes(tokenBytes).toString('base64url'), newPin()]
    const share = await putShare(database, { orderId: id, userId: user.id, token, pin, hours: body.hours })
    if (!share) throw new Failure('NOT_FOUND')
    return { link: `${config.publicUrl}/shared#${token}`, pin, expires_at: share.expires_at.toISOString() }
  })

  serve(sharedReceiptsApi.end, async ({ user, params, language }) => {
    const { id } = await findOrder(user.id, params.id, language)
    await deleteShare(database, user.id, id)
  })

  serve(sharedReceiptsApi.open, async ({ body: { token, pin }, address, language }) => {
    await perAddress.count(address)
    const tried = await countTry(database, token, pin)
    if (!tried) throw new Failure('NOT_FOUND')
    if (!tried.is_right) throw new Failure('WRONG_PIN', { triesLeft: tried.tries_left })
    const order = await findOwnOrder(database, tried.user_id, tried.order_id, language)
    if (!order) throw new Failure('NOT_FOUND')
    const revealed = await revealCodes(database, vault, order.id, { userId: tried.user_id, place: 'link' })
    return {
      expires_at: tried.expires_at.toISOString(),
      items: order.items.flatMap((item) => {
        if (item.item_type !== 'code') return []
        const { id, item_type, quantity, game_amount, game_currency, status, region, product } = item
        const shown = revealed.get(item.position)
        return {
          ...{ id, item_type, quantity, game_amount, game_currency, status, region, product },
          code: shown?.codes.join('\n') || null,
          withheld_codes: shown?.withheld ?? 0,
          held_codes: shown?.frozen ?? 0,
        }
      }),
    }
  })
}

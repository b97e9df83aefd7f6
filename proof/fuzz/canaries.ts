import { sql } from '../../server/src/platform/database/queries.ts'
import type { TestShop } from '../../server/test/shop.ts'
import type { World } from '../../server/test/world.ts'

/** A text that tells, wherever it turns up, that somebody read what is not theirs. */
interface Canary {
  what: string
  /** Whose it is; nobody's own is read by nobody. */
  ownerId: number | undefined
  /** Also by admins. */
  isForAdmins: boolean
  /** Whether it is a code, which may have been sold to the customer who sees it. */
  isCode?: true
}

export interface Canaries {
  readonly planted: ReadonlyMap<string, Canary>
  /** What somebody read in an answer that was not for them. */
  leaks(seen: Seen): Promise<string[]>
}

export interface Seen {
  text: string
  /** Undefined: nobody. */
  userId: number | undefined
  isAdmin: boolean
  /** What the caller sent, and so knew before. */
  sent: string
  /** The call exists to show codes to admins. */
  showsCodes: boolean
  /** The answer is the sandbox's pay page, which shows its payment to anyone who knows the payment's id. */
  isPayPage: boolean
}

const word = /[\w-]{6,}/g

/** What must never be in any answer, whoever asked. */
const secrets: readonly [RegExp, string][] = [
  [/\$argon2/, 'the hash of a password'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY/, 'a private key'],
  [/postgres(?:ql)?:\/\/\w+:/, 'the address of the database'],
]

/** Plants nothing new: it notes the texts of the world that others must not see. */
export async function plantCanaries(
  shop: TestShop,
  world: World,
  stranger: { id: number; nickname: string; orderId: string },
): Promise<Canaries> {
  const { database, vault } = shop
  const planted = new Map<string, Canary>()
  const plant = (texts: readonly (string | undefined)[], canary: Canary) => {
    for (const text of texts) if (text) planted.set(text, canary)
  }
  plant([world.owner.nickname], { what: 'a nickname', ownerId: world.owner.id, isForAdmins: true })
  plant([stranger.nickname], { what: 'a nickname', ownerId: stranger.id, isForAdmins: true })
  plant([world.admin.nickname], { what: "an admin's nickname", ownerId: world.admin.id, isForAdmins: true })
  plant([world.orderId], { what: 'an order', ownerId: world.owner.id, isForAdmins: true })
  plant([stranger.orderId], { what: 'an order', ownerId: stranger.id, isForAdmins: true })
  plant([world.disputedOrderId], { what: 'an order', ownerId: undefined, isForAdmins: true })
  const codes = [...world.offer.codes, ...world.pool.codes, ...world.generated.codes.map(({ plain }) => plain)]
  plant(codes, { what: 'a code', ownerId: undefined, isForAdmins: false, isCode: true })
  plant(Object.values(world.tokens), { what: 'a token', ownerId: undefined, isForAdmins: false })
  plant([world.password], { what: 'a password', ownerId: undefined, isForAdmins: false })
  const key = shop.config.secretKey
  if (key)
    plant([key.toString('hex'), key.toString('base64url')], {
      what: 'SECRET_KEY',
      ownerId: undefined,
      isForAdmins: false,
    })

  const isSoldTo = async (plain: string, userId: number | undefined) => {
    const print = vault.fingerprint(plain)
    const { sold } = await database.one<{ sold: boolean }>(sql`
      SELECT EXISTS (
        SELECT FROM code JOIN code_sale ON code_sale.code_id = code.id
        JOIN order_item ON order_item.id = order_item_id JOIN orders ON orders.id = order_id
        WHERE code.fingerprint = ${print} AND user_id = ${userId ?? null}) AS sold`)
    return sold
  }

  const hasNamedPayment = async (orderId: string, sent: string) => {
    const paid = await database.rows<{ id: string }>(sql`SELECT id FROM sandbox_payment WHERE order_id = ${orderId}`)
    return paid.some(({ id }) => sent.toLowerCase().includes(id))
  }

  return {
    planted,
    async leaks({ text, userId, isAdmin, sent, showsCodes, isPayPage }) {
      const found = secrets.filter(([secret]) => secret.test(text) && !secret.test(sent)).map(([, what]) => what)
      for (const seen of new Set(text.match(word))) {
        const canary = planted.get(seen)
        if (!canary) continue
        if (canary.ownerId !== undefined && canary.ownerId === userId) continue
        if (isAdmin && (canary.isForAdmins || (canary.isCode && showsCodes))) continue
        // Who sent it knows it; but no answer repeats a token or a password.
        if ((canary.isForAdmins || canary.isCode) && sent.includes(seen)) continue
        if (canary.isCode && (await isSoldTo(seen, userId))) continue
        if (isPayPage && (await hasNamedPayment(seen, sent))) continue
        found.push(`${canary.what} (${seen})`)
      }
      return found
    },
  }
}

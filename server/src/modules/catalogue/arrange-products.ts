import { Failure } from '@olmos/contract/failure'
import * as LIMITS from '@olmos/contract/limits'
import type { EditedProduct } from '@olmos/contract/products'
import { sql, type Tx } from '../../platform/database/queries.ts'
import { writeAudit } from '../../platform/security/audit.ts'
import { addProduct, nextPosition } from './change-product.ts'
import { lockProduct, readEditedFields, readProduct } from './products.ts'

/** Finds the first of `valorant-copy`, `valorant-copy-2` and so on that no product has, or had. */
async function freeSlug(tx: Tx, slug: string): Promise<string> {
  const toName = (count: number) => {
    const end = count === 1 ? '-copy' : `-copy-${count}`
    return slug.slice(0, LIMITS.slugLengthMax - end.length).replace(/-+$/, '') + end
  }
  for (let count = 1; ; count++) {
    const { is_taken } = await tx.one<{ is_taken: boolean }>(
      sql`SELECT EXISTS (SELECT FROM product WHERE slug = ${toName(count)}) AS is_taken`,
    )
    if (!is_taken) return toName(count)
  }
}

/** The packages are sold at the prices in force, whatever made them; those of the product that is copied keep their sources. */
const copyOffers = (tx: Tx, from: number, to: number) =>
  tx.run(sql`
    INSERT INTO offer (product_id, region_id, game_amount, name, translations, item_id, price_usd, price_rub, is_popular,
      is_active, low_stock)
    SELECT ${to}, region_id, game_amount, name, translations, item_id, price_usd, price_rub, is_popular, is_active,
      low_stock
    FROM offer WHERE product_id = ${from} AND deleted_at IS NULL ORDER BY id`)

const copyServices = (tx: Tx, from: number, to: number) =>
  tx.run(sql`
    INSERT INTO product_service (product_id, service_id, options)
    SELECT ${to}, service_id, options FROM product_service WHERE product_id = ${from}`)

/**
 * Adds a product like another one: its texts, regions, fields and packages, without codes, under an address of its own. It
 * is not on sale until somebody says so.
 */
export async function copyProduct(tx: Tx, adminId: number, productId: number): Promise<EditedProduct> {
  // Copies of one product find their addresses one after the other.
  const product = await lockProduct(tx, productId)
  const { fields } = await readEditedFields(tx, productId)
  const texts = Object.entries(product.translations).map(([language, { name, ...text }]) => [
    language,
    { title: name, ...text },
  ])
  const id = await addProduct(tx, {
    ...product,
    slug: await freeSlug(tx, product.slug),
    codePrefix: product.codePrefix || null,
    position: await nextPosition(tx),
    isActive: false,
    fields,
    texts: Object.fromEntries(texts),
    regions: product.regions.map((region) => ({ regionId: region.id, gameCurrency: region.game_currency || null })),
  })
  await copyServices(tx, productId, id)
  await copyOffers(tx, productId, id)
  const after = await readProduct(tx, id)
  const entry = { actorId: adminId, action: 'product.copy', subject: `product:${id}` } as const
  await writeAudit(tx, { ...entry, after: { ...after, copy_of: productId } })
  tx.notify('catalogue', `product:${id}`)
  return after
}

interface Placed {
  id: number
  position: number
}

/** Locks all products, in one order for everybody. */
const lockPlaces = (tx: Tx) =>
  tx.rows<Placed>(sql`SELECT id, position FROM product WHERE deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`)

interface WantedOrder {
  ids: readonly number[]
  /** These products in the order in which the admin saw them. */
  seen?: readonly number[] | undefined
}

/**
 * Puts products into this order, in the places that they have between them: all others stay where they are. Refuses an
 * order that was made from another one than the present: STATE_CONFLICT.
 */
export async function orderProducts(tx: Tx, adminId: number, { ids, seen }: WantedOrder): Promise<number[]> {
  const places = await lockPlaces(tx)
  const all = places.toSorted((one, other) => one.position - other.position || one.id - other.id).map(({ id }) => id)
  const wanted = new Set(ids)
  const present = all.filter((id) => wanted.has(id))
  if (wanted.size !== ids.length) throw new Failure('VALIDATION_FAILED', { ids: 'invalid' })
  if ((seen && seen.join() !== present.join()) || present.length !== ids.length)
    throw new Failure('STATE_CONFLICT', { reason: 'changed_meanwhile', current: { ids: present } })
  const left = [...ids]
  const order = all.map((id) => (wanted.has(id) ? (left.shift() as number) : id))
  const changed = await tx.rows<{ id: number }>(sql`
    UPDATE product SET position = new.place - 1
    FROM unnest(${order}::int[]) WITH ORDINALITY AS new (id, place)
    WHERE product.id = new.id AND position <> new.place - 1 RETURNING product.id`)
  if (ids.join() !== present.join()) {
    const entry = { actorId: adminId, action: 'products.order', subject: 'products' } as const
    await writeAudit(tx, { ...entry, before: { ids: present }, after: { ids } })
  }
  for (const { id } of changed) tx.notify('catalogue', `product:${id}`)
  return [...ids]
}

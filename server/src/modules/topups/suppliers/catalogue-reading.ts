import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { done, type Outcome, unknown, vendorWords } from '../../../platform/vendor/vendor.ts'
import type { VendorPage, VendorService } from '../supplier.ts'

/** What a vendor calls something it sells, for people. */
export const vendorTitle = vendorWords(200)
  .transform((text) => text.trim())
  .pipe(z.string().min(1))

/** How many there are, or may be bought; none where what is told can't be that. */
export const vendorCount = z.int().min(0).max(1_000_000_000).nullish().catch(undefined)

/**
 * Reads the rows of a vendor's list, each by itself. `read` answers undefined for a row that can't be read, and null for one
 * that is not for sale. Both are left out: a price of 0, or with nine decimals, must not keep the rest from being known. So is
 * a row whose reference an earlier one has. A list in which nothing can be read is `unknown`, because an empty one would say
 * that everything is gone.
 */
export function readRows<Item extends { reference: string }>(
  rows: readonly unknown[],
  read: (row: unknown) => Item | null | undefined,
): Outcome<Item[]> {
  const readable = rows.map(read).filter((item) => item !== undefined)
  if (rows.length > 0 && readable.length === 0) return unknown('bad_answer')
  const items = new Map<string, Item>()
  for (const item of readable) if (item && !items.has(item.reference)) items.set(item.reference, item)
  return done([...items.values()])
}

/** Cuts a page out of a list that has none, in an order of its own: what comes and goes meanwhile moves nothing past the cursor. */
export function cutPage<Item extends { reference: string }>(
  items: readonly Item[],
  cursor: string | undefined,
  perPage: number,
): VendorPage<Item> {
  const left = items
    .filter(({ reference }) => cursor === undefined || reference > cursor)
    .toSorted((one, other) => (one.reference < other.reference ? -1 : 1))
  const page = left.slice(0, perPage)
  const last = page.at(-1)
  return { items: page, ...(last && left.length > perPage && { next: last.reference }) }
}

/**
 * Reads each service of a page, one after another. One that the vendor rejects, or that nobody could fill in, is left out.
 * Whatever else goes wrong is the outcome of the whole page, because a service that a page lacks counts as gone.
 */
export async function readServicePage<Listed>(
  page: VendorPage<Listed>,
  read: (listed: Listed) => Promise<Outcome<VendorService | undefined>>,
): Promise<Outcome<VendorPage<VendorService>>> {
  const items: VendorService[] = []
  for (const listed of page.items) {
    const service = await read(listed)
    if (service.kind === 'unknown' || (service.kind === 'rejected' && service.code === 'not_allowed')) return service
    if (service.kind === 'done' && service.value) items.push(service.value)
  }
  return done({ ...page, items })
}

const keptMs = 600_000

/**
 * Keeps for some minutes what was read of a service for its fields, because its products are asked for next and are in the
 * same answer. Each answer is handed out once.
 */
export function createReadAhead<Answer>() {
  const kept = new Map<string, { answer: Answer; until: number }>()
  return {
    keep(service: string, answer: Answer): void {
      kept.set(service, { answer, until: performance.now() + keptMs })
    },
    take(service: string): Answer | undefined {
      const one = kept.get(service)
      kept.delete(service)
      return one && one.until > performance.now() ? one.answer : undefined
    },
  }
}

/**
 * Makes calls wait so that a whole catalogue can be read without using up what a vendor allows in a minute: orders need some
 * of it, too. The first `burst` calls pass at once, and `perMinute` after that.
 */
export function createPace({ burst, perMinute }: { burst: number; perMinute: number }): () => Promise<void> {
  let [left, asOf] = [burst, performance.now()]
  return async () => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - asOf) * perMinute) / 60_000) - 1
    asOf = now
    if (left < 0) await sleep((-left * 60_000) / perMinute)
  }
}

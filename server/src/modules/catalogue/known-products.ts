import { SERVER_LIMITS } from '../../limits.ts'
import type { Queries } from '../../platform/database/queries.ts'
import { readSlugs } from './catalogue.routes.ts'

export interface KnownProducts {
  /** Whether a product has the slug. While the catalogue can't be read it may have it, and the page finds out. */
  mayHave(slug: string): Promise<boolean>
  /** Marks what was read as out of date. */
  clear(): void
}

/**
 * Knows the slugs on sale, so that made-up ones cost no page. A known slug is accepted at once, so that cached pages
 * are served while the database is unavailable; an unknown one is looked up, once per `SERVER_LIMITS.slugsFreshMs`.
 */
export function knowProducts(queries: Queries, now: () => number = () => performance.now()): KnownProducts {
  let slugs: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const readAgain = (): Promise<void> => {
    if (reading) return reading
    const startedAt = now()
    const own: Promise<void> = readSlugs(queries)
      .then((read) => {
        slugs = new Set(read)
        // A read that was under way when the catalogue changed may have missed the change.
        if (reading === own) readAt = startedAt
      })
      .finally(() => {
        if (reading === own) reading = undefined
      })
    reading = own
    return own
  }

  return {
    async mayHave(slug) {
      if (now() - readAt < SERVER_LIMITS.slugsFreshMs) return slugs.has(slug)
      const read = readAgain()
      if (slugs.has(slug)) {
        read.catch(() => {})
        return true
      }
      try {
        await read
        return slugs.has(slug)
      } catch {
        return true
      }
    },
    clear() {
      readAt = Number.NEGATIVE_INFINITY
      reading = undefined
    },
  }
}

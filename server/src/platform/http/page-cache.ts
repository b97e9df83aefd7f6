import type { RenderedPage } from './rendered-page.ts'

export interface PageCache {
  /**
   * Returns the page under the key, rendered when it is missing. A stale page is served while it is renewed. One that
   * is far too old, or older than the last `clear`, is served only when it can't be rendered. A page is kept when it
   * has the status it should have.
   */
  get(key: string, render: () => Promise<RenderedPage>, keptStatus?: number): Promise<RenderedPage>
  /** Marks everything that is kept as out of date. */
  clear(): void
}

interface PageCacheLimits {
  /** How long a page is served as it is. */
  freshMs: number
  /** How long after that it is served while it is renewed. */
  staleMs: number
  pagesAtMost: number
}

interface KeptPage {
  page: RenderedPage
  renderedAt: number
  /** When the last attempt to render it again failed. */
  failedAt: number
}

const never = Number.NEGATIVE_INFINITY

/**
 * Keeps pages that do not depend on the visitor. A good one stays until a better one replaces it or the page is gone.
 */
export function createPageCache(
  { freshMs, staleMs, pagesAtMost }: PageCacheLimits,
  now: () => number = () => performance.now(),
): PageCache {
  /** In the order of requests, so that the first is the one to evict. */
  const kept = new Map<string, KeptPage>()
  const underWay = new Map<string, Promise<RenderedPage>>()

  const keep = (key: string, entry: KeptPage) => {
    kept.delete(key)
    const [first] = kept.keys()
    if (first !== undefined && kept.size >= pagesAtMost) kept.delete(first)
    kept.set(key, entry)
  }

  /** Returns the last good page, if there is one. */
  const noteFailure = (key: string): RenderedPage | undefined => {
    const old = kept.get(key)
    if (old) old.failedAt = now()
    return old?.page
  }

  /** Renders it once for all who request it meanwhile. */
  const renew = (key: string, render: () => Promise<RenderedPage>, keptStatus: number): Promise<RenderedPage> => {
    const present = underWay.get(key)
    if (present) return present
    const renderedAt = now()
    // A page whose render began before the cache was cleared goes only to those who requested it before.
    const isCurrent = (): boolean => underWay.get(key) === renewal
    const renewal: Promise<RenderedPage> = Promise.resolve()
      .then(render)
      .then(
        (page) => {
          if (!isCurrent()) return page
          if (page.status === keptStatus) keep(key, { page, renderedAt, failedAt: never })
          else if (page.status === 404 || page.status === 410) kept.delete(key)
          else return noteFailure(key) ?? page
          return page
        },
        (error) => {
          const old = isCurrent() ? noteFailure(key) : undefined
          if (old) return old
          throw error
        },
      )
      .finally(() => isCurrent() && underWay.delete(key))
    underWay.set(key, renewal)
    return renewal
  }

  return {
    async get(key, render, keptStatus = 200) {
      const entry = kept.get(key)
      if (!entry) return renew(key, render, keptStatus)
      keep(key, entry)
      // While pages can't be rendered, not everybody waits for the next attempt.
      const ageMs = now() - Math.max(entry.renderedAt, entry.failedAt)
      if (ageMs < freshMs) return entry.page
      const renewal = renew(key, render, keptStatus)
      if (ageMs >= freshMs + staleMs) return renewal
      renewal.catch(() => {})
      return entry.page
    },
    clear() {
      underWay.clear()
      for (const entry of kept.values()) Object.assign(entry, { renderedAt: never, failedAt: never })
    },
  }
}

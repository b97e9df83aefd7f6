import type { RenderedPage } from './rendered-page.ts'

export interface PageCache {
  /**
   * The page under the key, rendered when it is not there. One past its time is served while it is renewed. One far past
   * its time, or from before the last `clear`, is served only where it can't be rendered. A page is kept when it has
   * the status it should have.
   */
  get(key: string, render: () => Promise<RenderedPage>, keptStatus?: number): Promise<RenderedPage>
  /** Whatever is kept is not what it should show any more. */
  clear(): void
}

interface PageCacheLimits {
  /** So old a page is served as it is. */
  freshMs: number
  /** For so long after that it is served while it is renewed. */
  staleMs: number
  pagesAtMost: number
}

interface KeptPage {
  page: RenderedPage
  renderedAt: number
  /** When it was last tried in vain to render it anew. */
  failedAt: number
}

const never = Number.NEGATIVE_INFINITY

/** Keeps pages that are the same for everybody. A good one stays until there is a better one, or none any more. */
export function createPageCache(
  { freshMs, staleMs, pagesAtMost }: PageCacheLimits,
  now: () => number = () => performance.now(),
): PageCache {
  /** In the order they were asked for, so that the first is the one to do without. */
  const kept = new Map<string, KeptPage>()
  const underWay = new Map<string, Promise<RenderedPage>>()

  const keep = (key: string, entry: KeptPage) => {
    kept.delete(key)
    const [first] = kept.keys()
    if (first !== undefined && kept.size >= pagesAtMost) kept.delete(first)
    kept.set(key, entry)
  }

  /** Answers the good page of before, where there is one. */
  const noteFailure = (key: string): RenderedPage | undefined => {
    const old = kept.get(key)
    if (old) old.failedAt = now()
    return old?.page
  }

  /** Renders it once for all who ask meanwhile. */
  const renew = (key: string, render: () => Promise<RenderedPage>, keptStatus: number): Promise<RenderedPage> => {
    const present = underWay.get(key)
    if (present) return present
    const renderedAt = now()
    // A page that was under way when the cache was cleared is for those who asked for it before, and for nobody after.
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

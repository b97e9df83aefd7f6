import type { RenderedPage } from './rendered-page.ts'

const pagesAtMost = 1_000

export interface PageCache {
  /** The page under the key, rendered when it is not there. A page past its time is served once more while it is renewed. */
  get(key: string, render: () => Promise<RenderedPage>): Promise<RenderedPage>
  clear(): void
}

interface Entry {
  page: Promise<RenderedPage>
  renewAt: number
}

/** Keeps pages that are the same for everybody. A failed or refused page is not kept. */
export function createPageCache(freshMs: number, now: () => number = Date.now): PageCache {
  const entries = new Map<string, Entry>()

  const renderInto = (key: string, render: () => Promise<RenderedPage>): Promise<RenderedPage> => {
    const page = render()
    const entry = { page, renewAt: now() + freshMs }
    if (entries.size >= pagesAtMost) entries.clear()
    entries.set(key, entry)
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    page.then((rendered) => rendered.status === 200 || forget(), forget)
    return page
  }

  return {
    get(key, render) {
      const entry = entries.get(key)
      if (!entry) return renderInto(key, render)
      if (entry.renewAt <= now()) {
        entry.renewAt = now() + freshMs
        renew(entries, key, entry, render)
      }
      return entry.page
    },
    clear: () => entries.clear(),
  }
}

/** The old page stays until there is a better one. */
function renew(entries: Map<string, Entry>, key: string, entry: Entry, render: () => Promise<RenderedPage>): void {
  render().then(
    (page) => {
      if (entries.get(key) === entry && page.status === 200) entry.page = Promise.resolve(page)
    },
    () => {},
  )
}

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import { Piscina } from 'piscina'
import { SERVER_LIMITS } from './limits.ts'
import { type PageText, type RenderedPage, renderedPage } from './platform/http/rendered-page.ts'

const webFolder = new URL('../../web/build/', import.meta.url)

/** What a page's loader may know of the request; the web's entry.server turns it into its context. */
export interface PageValues {
  api(path: string): Promise<{ status: number; body: unknown }>
  publicUrl: string
  supportUrl: string | undefined
  openSandbox: 'payments' | 'deliveries' | undefined
  nonce: string
  language: Language
  currency: ChargeCurrency
  /** What prices can be shown in; nothing where the rates were never read. */
  rates: readonly ShownCurrencyRate[]
  colorScheme: 'dark' | 'light'
}

/** The built web, as the server sees it. */
export interface Web {
  /** The folder of the files that browsers get unchanged. */
  files: string
  /** Whether a page has this path, besides the not-found page. */
  hasPage(path: string): boolean
  /** The slug in the path of a product that has no page of its own kind. */
  productAt(path: string): string | undefined
  /** Renders a whole page; rejects when only a part of it could be rendered. */
  renderPage(address: string, values: PageValues): Promise<RenderedPage>
  /** Renders the data that a browser asks for when its visitor goes from page to page. */
  renderData(address: string, values: PageValues): Promise<RenderedData>
  close(): Promise<void>
}

export interface RenderedData {
  status: number
  headers: Record<string, string>
  body: string
}

/** What the thread of `render-web.ts` is asked for. */
export interface RenderTask {
  kind: 'page' | 'data'
  address: string
  values: Omit<PageValues, 'api'>
  /** Where the page's reads are asked for, as a `Question`, and answered. */
  port: MessagePort
}

/** What it answers: a page, or data. */
export type Rendered = PageText | RenderedData

export interface Question {
  id: number
  path: string
}

/** What the question is answered with; a page whose read could not be made at all fails. */
export type Read = { id: number } & ({ answer: Awaited<ReturnType<PageValues['api']>> } | { failure: string })

/**
 * Opens the web that `npm run build` made, or returns undefined when it was not built. Pages are rendered by a thread of
 * their own, with less priority, so that no purchase waits for one; a thread that dies fails its pages and is replaced.
 */
export async function openBuiltWeb(folder = webFolder): Promise<Web | undefined> {
  if (!existsSync(new URL('server/index.js', folder))) return undefined
  const threads = new Piscina({
    filename: fileURLToPath(new URL('./render-web.ts', import.meta.url)),
    workerData: folder.href,
    // React chooses its build by this: the one for development takes three times as long to render.
    env: { NODE_ENV: 'production' },
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: SERVER_LIMITS.pageRendersAtOnce,
    resourceLimits: { maxOldGenerationSizeMb: SERVER_LIMITS.renderHeapMb, maxYoungGenerationSizeMb: 6 },
    // Otherwise the thread is blocked, with its timers, until there is a page to render.
    atomics: 'disabled',
  })
  const patterns = toPatterns(await threads.run(undefined, { name: 'readRoutes' }))
  const match = (path: string) => {
    const pathname = path.length > 1 ? path.replace(/\/$/, '') : path
    for (const pattern of patterns) {
      const found = pattern.exec({ pathname })
      if (found) return found.pathname.groups
    }
    return undefined
  }

  const run = async (kind: RenderTask['kind'], address: string, { api, ...values }: PageValues): Promise<Rendered> => {
    const { port1: own, port2: port } = new MessageChannel()
    own.on('message', async ({ id, path }: Question) => {
      const read = await api(path).then(
        (answer): Read => ({ id, answer }),
        (error): Read => ({ id, failure: String(error) }),
      )
      own.postMessage(read)
    })
    try {
      const task: RenderTask = { kind, address, values, port }
      return await threads.run(task, { name: 'render', transferList: [port] })
    } finally {
      own.close()
    }
  }
  return {
    files: new URL('client/', folder).pathname,
    hasPage: (path) => {
      const groups = match(path)
      // No product, order or tab has a dot in its name; files have.
      return groups !== undefined && !Object.values(groups).some((value) => value?.includes('.'))
    },
    productAt: (path) => match(path)?.slug,
    renderPage: async (address, values) => renderedPage((await run('page', address, values)) as PageText),
    renderData: async (address, values) => (await run('data', address, values)) as RenderedData,
    close: () => threads.destroy(),
  }
}

/** As the router of the web matches them: in any spelling, and a fixed path before one with a name in it. */
function toPatterns(routes: readonly string[]): URLPattern[] {
  const fixedFirst = routes.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
  return fixedFirst.map((pathname) => new URLPattern({ pathname }, { ignoreCase: true }))
}

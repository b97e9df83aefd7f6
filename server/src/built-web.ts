import { existsSync } from 'node:fs'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Failure } from '@olmos/contract/failure'
import type { Language } from '@olmos/contract/fields'
import type { ChargeCurrency } from '@olmos/contract/money'
import type { PaymentMark } from '@olmos/contract/orders'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import type { ShownShop } from '@olmos/contract/shop'
import { SERVER_LIMITS } from './limits.ts'
import { type PageText, type RenderedPage, renderedPage } from './platform/http/rendered-page.ts'

/** What the thread is sent; the port becomes its own. */
interface Task {
  address: string
  port: MessagePort
}

/** What the thread tells: once that it can render, and what pages there are, then what each task came to. */
export type Told<Rendered> = { routes: string[] } | { id: number; rendered: Rendered }

interface ThreadLimits {
  /** How long a task may take. */
  renderMs: number
  /** How long the thread may take to start, and how long it rests after it died before it had started. */
  renderStartMs: number
  renderRestartMs: number
  /** How much it may keep in memory. */
  renderHeapMb: number
}

interface RenderThread<Wanted extends Task, Rendered> {
  /** The paths of the web's pages. */
  routes: readonly string[]
  /**
   * Renders a page, beside others that wait for their reads. Rejects with OVERLOADED when the thread died, because asking
   * again may help.
   */
  run(task: Wanted): Promise<Rendered>
  /** Ends the thread; what it was at rejects. */
  close(): Promise<void>
}

interface Generation<Rendered> {
  worker: Worker
  /** Resolves when the thread can render; rejects when it died before. */
  started: PromiseWithResolvers<string[]>
  isStarted: boolean
  tasks: Map<number, PromiseWithResolvers<Rendered>>
  /** Why it will be dead in a moment. */
  death: Error | undefined
}

/**
 * Starts the thread of `render-web.ts` on the web in this folder, and another one whenever it dies: because a page took too
 * long or too much memory, or ended it. Rejects when the first does not start. `onDeath` hears of each that died.
 */
async function startRenderThread<Wanted extends Task, Rendered>(
  folder: URL,
  limits: ThreadLimits,
  onDeath: (reason: Error) => void,
): Promise<RenderThread<Wanted, Rendered>> {
  let current: Generation<Rendered> | undefined
  let isClosed = false
  let lastId = 0

  const start = (): Generation<Rendered> => {
    const worker = new Worker(new URL('./render-web.ts', import.meta.url), {
      workerData: folder.href,
      // React chooses its build by this: the one for development takes three times as long to render.
      env: { NODE_ENV: 'production' },
      resourceLimits: { maxOldGenerationSizeMb: limits.renderHeapMb, maxYoungGenerationSizeMb: 6 },
    })
    const started = Promise.withResolvers<string[]>()
    // Who waits for a thread that takes the place of another one waits for its own page.
    started.promise.catch(() => {})
    const generation: Generation<Rendered> = { worker, started, isStarted: false, tasks: new Map(), death: undefined }
    const late = endLater(generation, limits.renderStartMs, 'it did not start')
    worker.on('message', (told: Told<Rendered>) => {
      if ('id' in told) return settle(generation, told)
      clearTimeout(late)
      generation.isStarted = true
      started.resolve(told.routes)
      // The thread alone keeps no process alive.
      worker.unref()
    })
    worker.on('error', (error) => {
      generation.death ??= error
    })
    worker.on('exit', (code) => {
      clearTimeout(late)
      bury(generation, generation.death ?? new Error(`it exited with code ${code}`))
    })
    return generation
  }

  const settle = ({ tasks }: Generation<Rendered>, { id, rendered }: Extract<Told<Rendered>, { id: number }>): void => {
    tasks.get(id)?.resolve(rendered)
    tasks.delete(id)
  }

  const bury = (generation: Generation<Rendered>, reason: Error): void => {
    generation.started.reject(reason)
    for (const task of generation.tasks.values()) task.reject(lost(reason))
    current = undefined
    if (isClosed) return
    onDeath(reason)
    // One that can't even start is not tried again at once, for ever.
    if (generation.isStarted) replace()
    else setTimeout(replace, limits.renderRestartMs).unref()
  }

  const replace = (): void => {
    if (!isClosed) current = start()
  }

  const run = async (task: Wanted): Promise<Rendered> => {
    const generation = current
    if (!generation || generation.death) throw lost(new Error('it is being replaced'))
    const id = ++lastId
    const settled = Promise.withResolvers<Rendered>()
    generation.tasks.set(id, settled)
    generation.worker.postMessage({ id, task }, [task.port])
    const begin = () =>
      generation.tasks.has(id) ? endLater(generation, limits.renderMs, `${task.address} took too long`) : undefined
    const late = generation.started.promise.then(begin, () => undefined)
    return settled.promise.finally(async () => clearTimeout(await late))
  }

  current = start()
  try {
    const routes = await current.started.promise
    const close = async () => {
      isClosed = true
      await current?.worker.terminate()
    }
    return { routes, run, close }
  } catch (error) {
    isClosed = true
    throw error
  }
}

const lost = (cause: Error): Failure =>
  Object.assign(new Failure('OVERLOADED', undefined, 'the thread that renders pages was ended'), { cause })

/** Ends the thread after so long, even in the middle of a page. */
function endLater(generation: Pick<Generation<unknown>, 'worker' | 'death'>, ms: number, why: string): NodeJS.Timeout {
  return setTimeout(() => {
    generation.death ??= new Error(why)
    void generation.worker.terminate()
  }, ms).unref()
}

const webFolder = new URL('../../web/build/', import.meta.url)

/** The answer of a call that a page reads: its JSON, which the thread of the pages parses, because it costs. */
export interface PageRead {
  status: number
  json: string
}

/** What a page's loader may know of the request; the web's entry.server turns it into its context. */
export interface PageValues {
  api(path: string): Promise<PageRead>
  publicUrl: string
  /** What the owner says of the shop, in whatever language. */
  shop: ShownShop
  openSandbox: 'payments' | 'deliveries' | undefined
  nonce: string
  language: Language
  currency: ChargeCurrency
  /** What prices can be shown in where there is a rate, the default first. */
  currencies: readonly ChargeCurrency[]
  /** What prices can be shown in; nothing where the rates were never read. */
  rates: readonly ShownCurrencyRate[]
  /** By what one can pay, in the shop's order. */
  paymentMarks: readonly PaymentMark[]
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

/** What a task came to: a page, data, or why there is neither. */
export type Rendered = PageText | RenderedData | { failure: string }

export interface Question {
  id: number
  path: string
}

/** What the question is answered with; a page whose read could not be made at all fails. */
export type Read = { id: number } & ({ answer: PageRead } | { failure: string })

interface Opening {
  folder?: URL
  limits?: Parameters<typeof startRenderThread>[1]
  onDeath?: (reason: Error) => void
}

/**
 * Opens the web that `npm run build` made, or returns undefined when it was not built. Pages are rendered by a thread of
 * their own, with less priority, so that no purchase waits for one. A thread that dies, or is ended because a page takes too
 * long, is replaced; its pages reject with OVERLOADED. `onDeath` hears why.
 */
export async function openBuiltWeb({
  folder = webFolder,
  limits = SERVER_LIMITS,
  onDeath = () => {},
}: Opening = {}): Promise<Web | undefined> {
  if (!existsSync(new URL('server/index.js', folder))) return undefined
  const thread = await startRenderThread<RenderTask, Rendered>(folder, limits, onDeath)
  const match = createMatch(thread.routes)

  const run = async (kind: RenderTask['kind'], address: string, { api, ...values }: PageValues) => {
    const { port1: own, port2: port } = new MessageChannel()
    own.on('message', async ({ id, path }: Question) => {
      const read = await api(path).then(
        (answer): Read => ({ id, answer }),
        (error): Read => ({ id, failure: String(error) }),
      )
      own.postMessage(read)
    })
    const task: RenderTask = { kind, address, values, port }
    const rendered = await thread.run(task).finally(() => own.close())
    if ('failure' in rendered) throw new Error(rendered.failure)
    return rendered
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
    close: thread.close,
  }
}

/**
 * Matches paths as the router of the web does: in any spelling, a fixed path before one with a name in it. Returns what
 * stands for the names. URLPattern would take a seventh of the time of a kept page.
 */
function createMatch(routes: readonly string[]): (path: string) => Record<string, string | undefined> | undefined {
  const fixed = new Set(routes.filter((route) => !route.includes(':')).map((route) => route.toLowerCase()))
  const patterns = routes.filter((route) => route.includes(':')).map(toPattern)
  return (path) => {
    const pathname = path.length > 1 ? path.replace(/\/$/, '') : path
    if (fixed.has(pathname.toLowerCase())) return {}
    for (const pattern of patterns) {
      const found = pattern.exec(pathname)
      if (found) return found.groups
    }
    return undefined
  }
}

/** Reads `/admin/:tab?`: a name stands for one segment, which may be missing where it is asked. */
function toPattern(route: string): RegExp {
  const segments = route
    .split('/')
    .slice(1)
    .map((segment) => {
      const [, name, isOptional] = /^:(\w+)(\?)?$/.exec(segment) ?? []
      if (name === undefined) return `/${segment.replaceAll('.', '\\.')}`
      return isOptional ? `(?:/(?<${name}>[^/]+))?` : `/(?<${name}>[^/]+)`
    })
  return new RegExp(`^${segments.join('')}$`, 'i')
}

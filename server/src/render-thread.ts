import { type MessagePort, Worker } from 'node:worker_threads'
import { Failure } from '@olmos/contract/failure'

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
export async function startRenderThread<Wanted extends Task, Rendered>(
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

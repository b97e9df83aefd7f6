import { getPriority, setPriority } from 'node:os'
import { getHeapSpaceStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { createRequestHandler, type RouterContextProvider, type ServerBuild } from 'react-router'
import type { PageRead, PageValues, Question, Read, Rendered, RenderTask, Told } from './built-web.ts'
import { readPage } from './platform/http/rendered-page.ts'

// The thread that renders pages: `built-web.ts` starts it and sends it tasks.

interface ServerValues extends Omit<PageValues, 'api'> {
  api(path: string): Promise<{ status: number; body: unknown }>
}

type WebBuild = ServerBuild & { entry: { module: { makeContext(values: ServerValues): RouterContextProvider } } }

const garbageBytes = 12 * 2 ** 20

// Linux gives each thread a priority of its own. This one steps back behind sales, but still gets a third of what another
// thread gets on a machine that is busy with something else. A store that was started with less stays there: only root may
// raise a priority.
const pagePriority = 5
if (process.platform === 'linux' && getPriority() < pagePriority) setPriority(pagePriority)

const build: WebBuild = await import(new URL('server/index.js', workerData as string).href)
const handle = createRequestHandler(build, 'production')

/** What is young is collected by itself, and would hide how much garbage has grown old. */
const readOldBytes = (): number =>
  getHeapSpaceStatistics().reduce(
    (bytes, { space_name, space_used_size }) => (space_name.startsWith('new_') ? bytes : bytes + space_used_size),
    0,
  )

/** Node's options say when the server's heap is collected first; for this smaller one it would be too late. */
function collect(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync' })
  keptBytes = readOldBytes()
}
let keptBytes = 0

/** The paths of the web's pages, but for the one that stands for all others. */
const readRoutes = (): string[] =>
  Object.values(build.routes).flatMap((route) => {
    if (!route || route.id === 'root' || route.path === '*') return []
    return [`/${route.path ?? ''}`]
  })

async function render({ kind, address, values, port }: RenderTask): Promise<Rendered> {
  const waiting = new Map<number, PromiseWithResolvers<PageRead>>()
  port.on('message', (read: Read) => {
    const question = waiting.get(read.id)
    waiting.delete(read.id)
    if ('answer' in read) question?.resolve(read.answer)
    else question?.reject(new Error(read.failure))
  })
  let asked = 0
  const api = async (path: string) => {
    const id = ++asked
    const question = Promise.withResolvers<PageRead>()
    waiting.set(id, question)
    port.postMessage({ id, path } satisfies Question)
    const { status, json } = await question.promise
    return { status, body: JSON.parse(json) }
  }
  try {
    const context = build.entry.module.makeContext({ ...values, api })
    const answer = await handle(new Request(address), context)
    const text = await answer.text()
    if (kind === 'page') return readPage(answer.status, text, values.nonce)
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text }
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    port.close()
    if (readOldBytes() > keptBytes + garbageBytes) collect()
  }
}

const tell = (told: Told<Rendered>, moved: ArrayBuffer[] = []) => parentPort?.postMessage(told, moved)

parentPort?.on('message', async ({ id, task }: { id: number; task: RenderTask }) => {
  const rendered = await render(task)
  tell({ id, rendered }, 'bytes' in rendered ? [rendered.bytes.buffer as ArrayBuffer] : [])
})
tell({ routes: readRoutes() })
// The store waits for what was just told.
collect()

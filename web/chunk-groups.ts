interface Graph {
  getModuleInfo(id: string): Module | null
}

interface Module {
  importers: readonly string[]
  dynamicImporters: readonly string[]
  isEntry: boolean
}

/** The store's files of scripts, and the pages whose parts they hold. Who comes first takes what several need. */
const chunks: readonly [name: string, pages: RegExp][] = [
  ['first', /\/web\/app\/(?:entry\.client|root|pages\/Missing)\.tsx/],
  ['shelf', /\/web\/app\/pages\/(?:Home|ProductList)\.tsx/],
  ['product', /\/web\/app\/pages\/ProductPage\.tsx/],
  ['pay', /\/web\/app\/pages\/(?:layout\/WholePage|Cart|Checkout)\.tsx/],
  ['amount', /\/web\/app\/(?:money\/MoneyInput|features\/checkout\/PartField)\.tsx/],
  ['topup', /\/web\/app\/pages\/TopupPage\.tsx/],
  ['account', /\/web\/app\/pages\/(?:Login|Register)\.tsx/],
  ['store', /\/web\/app\/pages\/[^/]+\.tsx/],
]

/** The first of the files that a module belongs to. */
function toChunk(id: string, graph: Graph): string | undefined {
  // It hydrates as soon as it runs, which it may not before the modules of the page's routes, some of which wait for texts.
  if (id.endsWith('/web/app/entry.client.tsx')) return undefined
  const seen = new Set([id])
  for (const module of seen) for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
  const names = new Set([...seen].map((user) => chunks.find(([, pages]) => pages.test(user))?.[0]))
  const [name, other] = chunks.map(([chunk]) => chunk).filter((chunk) => names.has(chunk))
  // Other pages would fetch all of the shelf for one part.
  return name === 'shelf' && other ? 'first' : name
}

/** The bundler asks about each module once for each file, and going through all that import it takes a while. */
function remember(find: typeof toChunk): typeof toChunk {
  const known = new Map<string, string | undefined>()
  return (id, graph) => {
    if (!known.has(id)) known.set(id, find(id, graph))
    return known.get(id)
  }
}

const findChunk = remember(toChunk)

/**
 * How the bundler is to put modules into files. Left to itself it makes one for every set of pages that share something,
 * most under a kilobyte, and a visitor waits for fifty to eighty of them. The admin area is left to it. A file takes
 * along what its modules need, so without priorities a later one may take what the first page is made of.
 */
export const chunkGroups = chunks.map(([name], at) => ({
  name: (id: string, graph: Graph) => (findChunk(id, graph) === name ? name : null),
  priority: chunks.length - at,
}))

const adminArea = /\/web\/app\/admin\//

/** The file that a module belongs to on the server: the pages, unless only the admin area needs it, and that late. */
function toServerChunk(id: string, graph: Graph): string {
  const seen = new Set([id])
  for (const module of seen) {
    const { isEntry, importers = [], dynamicImporters = [] } = graph.getModuleInfo(module) ?? {}
    if (isEntry) return 'pages'
    for (const importer of importers) seen.add(importer)
    for (const importer of dynamicImporters) if (!adminArea.test(importer)) seen.add(importer)
  }
  return 'admin'
}

const findServerChunk = remember(toServerChunk)

/**
 * The files of the pages on the server: one, because one is found sooner than hundreds, and one that it never reads, because
 * what the admin area loads late is rendered by browsers alone. Read with the pages it took 27 MB of memory.
 */
export const serverChunkGroups = ['pages', 'admin'].map((name, at, { length }) => ({
  name: (id: string, graph: Graph) => (findServerChunk(id, graph) === name ? name : null),
  priority: length - at,
}))

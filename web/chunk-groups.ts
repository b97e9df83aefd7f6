interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

/** The store's files of scripts, and the pages whose parts they hold. */
const chunks: readonly [name: string, pages: RegExp][] = [
  ['first', /\/web\/app\/(?:entry\.client|root|pages\/Home|pages\/ProductList)\.tsx/],
  ['product', /\/web\/app\/pages\/ProductPage\.tsx/],
  ['topup', /\/web\/app\/pages\/TopupPage\.tsx/],
  ['account', /\/web\/app\/pages\/(?:Login|Register)\.tsx/],
  ['store', /\/web\/app\/pages\/[^/]+\.tsx/],
]
/** What several of the later pages need, with what stands around them. */
const shared = 'whole'
const around = /\/web\/app\/pages\/layout\/WholePage\.tsx/

/** The first two take what others need as well; of the later ones each has what nobody else needs. */
function toChunk(id: string, graph: Graph): string | undefined {
  const seen = new Set([id])
  for (const module of seen) for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
  const users = [...seen]
  const [one, another] = chunks.filter(([, pages]) => users.some((user) => pages.test(user))).map(([name]) => name)
  if (one === 'first' || one === 'product') return one
  return another || users.some((user) => around.test(user)) ? shared : one
}

/**
 * How the bundler is to put modules into files. Left to itself it makes one for every set of pages that share something,
 * most under a kilobyte, and a visitor waits for fifty to eighty of them. The admin area is left to it. A file takes
 * along what its modules need, so without priorities a later one may take what the first page is made of.
 */
export const chunkGroups = ['first', 'product', shared, 'topup', 'account', 'store'].map((name, at, { length }) => ({
  name: (id: string, graph: Graph) => (toChunk(id, graph) === name ? name : null),
  priority: length - at,
}))

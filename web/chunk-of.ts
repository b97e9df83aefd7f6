interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

/** The store's files of scripts, and the pages whose parts they hold. */
const chunks: Record<string, RegExp> = {
  first: /\/web\/app\/(?:entry\.client|root|pages\/Home|pages\/ProductList)\.tsx/,
  product: /\/web\/app\/pages\/ProductPage\.tsx/,
  account: /\/web\/app\/pages\/(?:Login|Register)\.tsx/,
  store: /\/web\/app\/pages\/[^/]+\.tsx/,
}

/**
 * The first of the files that a module belongs to. Left to itself the bundler makes one for every set of pages that
 * share something, most under a kilobyte, and a visitor waits for fifty to eighty of them. The admin area is left to it.
 */
export function chunkOf(id: string, graph: Graph): string | null {
  const seen = new Set([id])
  for (const module of seen) for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
  const users = [...seen]
  return Object.keys(chunks).find((name) => users.some((user) => chunks[name]?.test(user))) ?? null
}

interface Graph {
  getModuleInfo(id: string): { importers: readonly string[] } | null
}

/** Where visits begin. */
const arrivals = /\/web\/app\/(?:entry\.client|root|pages\/Home|pages\/ProductList)\.tsx/

/**
 * The file a module goes to: all that the first pages are made of stands in one. Left to itself the bundler makes a
 * file for every set of pages that share something, most under a kilobyte, and a visitor waits for fifty of them.
 */
export function firstChunk(id: string, graph: Graph): 'first' | null {
  const seen = new Set([id])
  for (const module of seen) {
    if (arrivals.test(module)) return 'first'
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer)
  }
  return null
}

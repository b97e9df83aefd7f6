/** Keys are written with slashes here, as a name may have dots in it: `admin/alerts/kind/supplier.out`. */
const toPath = (key = '') => key.replaceAll('.', '/')

/**
 * Reads from sources which texts they ask for: keys that are written out, and the groups of which a name from elsewhere
 * chooses one, such as `orders.status.${status}`. A key is asked about without the ending of a plural.
 */
export function asksFor(sources: readonly string[]): (key: string) => boolean {
  const source = sources.join('\n')
  const keys = new Set([...source.matchAll(/['"`]([a-z]\w*(?:\.\w+)+)['"`]/g)].map(([, key]) => toPath(key)))
  const groups = [...source.matchAll(/`([a-z][\w.]*\.)\$\{[^}]*\}([\w.]*)`/g)].map(
    ([, start, end]) => new RegExp(`^${toPath(start)}[^/]+${toPath(end)}$`),
  )
  return (key) => keys.has(key) || groups.some((group) => group.test(key))
}

const plural = /_(one|few|many|other)$/

export const toStem = (key: string): string => key.replace(plural, '')

/** What this store can pack an answer in, best first. */
export const encodings = ['br', 'gzip', 'identity'] as const

export type Encoding = (typeof encodings)[number]

/** Below every weight that can be given: what nobody spoke of is taken last. */
const unsaid = Number.MIN_VALUE

/**
 * The encoding that an Accept-Encoding header weighs highest, and of equals the one that packs best. What is refused
 * with a weight of zero is never chosen, but plain bytes where nothing else is left.
 */
export function chooseEncoding(accepted: string): Encoding {
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '')
    // A weight that is no number is a refusal.
    weights.set(name.replace(/^x-(?=gzip$)/, ''), weight === undefined ? 1 : Number(weight) || 0)
  }
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'identity' ? unsaid : (weights.get('*') ?? 0))
  const [best = 'identity'] = encodings
    .filter((encoding) => weightOf(encoding) > 0)
    .toSorted((one, other) => weightOf(other) - weightOf(one))
  return best
}

const entityTag = /(?:W\/)?("[^"]*")/g

/**
 * Whether If-None-Match names the tag. Compared weakly, as RFC 9110 wants it: proxies that pack an answer make its tag
 * weak, and browsers may list several.
 */
export function isTagKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return [...ifNoneMatch.matchAll(entityTag)].some(([, known]) => known === opaque)
}

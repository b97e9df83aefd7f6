/**
 * The names under which words for a game's currency may be kept, as texts have them after `units.`: in lower case and in the
 * singular, so that `Diamonds` is found as `diamond`, and `Echoes` as `echo`. Here and not in units.ts, of which pages need
 * nothing else.
 */
export function toUnitNames(currency: string): [name: string, other: string] {
  const name = currency.toLowerCase()
  return [name.replace(/s$/, ''), name.replace(/es$/, '')]
}

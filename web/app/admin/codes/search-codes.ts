interface Listed {
  search: string
  [filter: string]: unknown
}

type Loader<Sent, Page> = (sent: Sent, options: { signal: AbortSignal }) => Promise<Page>

const numbers: readonly string[] = ['productId', 'regionId', 'offerId', 'denominationId', 'batch']
const flags: readonly string[] = ['published', 'activated']
const notFilters: readonly string[] = ['page', 'pageSize', 'sort', 'order']

/** What an address says of a list, for a call with a body: numbers and flags instead of texts, and nothing that is empty. */
export function toFilter(query: Readonly<Record<string, unknown>>): object {
  const given = Object.entries(query).filter(([name, value]) => value !== '' && !notFilters.includes(name))
  return Object.fromEntries(
    given.map(([name, value]) => {
      if (numbers.includes(name)) return [name, Number(value)]
      return [name, flags.includes(name) ? value === 'true' : value]
    }),
  )
}

/** Loads a list of codes; a code that is searched for goes by the body of a call of its own, because addresses stand in logs. */
export function listOrSearch<Page>(
  list: Loader<{ query: never }, Page>,
  search: Loader<{ body: never }, Page>,
): Loader<{ query: never }, Page> {
  return ({ query }, options) =>
    (query as Listed).search === '' ? list({ query }, options) : search({ body: toFilter(query) as never }, options)
}

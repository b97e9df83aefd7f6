import { z } from 'zod'
import { done, type Outcome, rejected, vendorName, vendorPrice, vendorWords } from '../../../platform/vendor/vendor.ts'
import type { Supplier, VendorField, VendorOption } from '../supplier.ts'
import { cutPage, readRows, readServicePage, vendorTitle } from './catalogue-reading.ts'

/** Makes a public call of the vendor's: a POST if there is something to post. */
type Ask = <T>(schema: z.ZodType<T>, path: string, post?: object) => Promise<Outcome<T>>

const games = z.object({ success: z.literal(true), games: z.array(z.unknown()) })
const game = z
  .object({ code: vendorName(64).regex(/^[^/]+$/), name: vendorTitle })
  .transform(({ code, name }) => ({ reference: code, title: name }))

/** What is sold of a game: `amount` is the price in USD, and `name` is what an order names. */
const catalogue = z.object({ success: z.literal(true), catalogues: z.array(z.unknown()) })
const listedOffer = z.object({ name: vendorName(200), amount: vendorPrice.nullable().catch(null) })

const fieldsAnswer = z.object({
  info: z.object({ fields: z.array(z.string().max(64)).max(12), notes: vendorWords(100).nullish() }),
})
/** By what an order has to name; the vendor's example has the same text on both sides. */
const serversAnswer = z.object({ servers: z.record(vendorName(200), vendorTitle) })

/** What the vendor lists as a field, and how an order and a check call it. */
const fieldNames: ReadonlyMap<string, { key: string; label: string }> = new Map([
  ['userid', { key: 'player_id', label: 'User ID' }],
  ['serverid', { key: 'server_id', label: 'Server ID' }],
  ['charname', { key: 'charname', label: 'Character name' }],
])

/** The fields of every order: the player and, where the game has them, a server and what else its notes say. */
export const g2bulkFields = [
  { key: 'player_id', isRequired: true },
  { key: 'server_id', isRequired: false },
  { key: 'charname', isRequired: false },
]

/** Each takes a call for its fields, and perhaps one for its servers. */
const gamesPerPage = 20

/**
 * The catalogue of G2Bulk, which is public: games by their codes, and of each what its own catalogue names. The list of games
 * has no pages, so it is cut into some; a game takes a call for its fields, and one more for its servers if it has any.
 */
export function createG2bulkCatalogue(ask: Ask) {
  /** Empty for a game whose server, if it wants one, is not chosen from a list: that is told by 403. */
  const readServers = async (game: string): Promise<Outcome<readonly VendorOption[]>> => {
    const answer = await ask(serversAnswer, '/games/servers', { game })
    if (answer.kind === 'rejected') return done([])
    if (answer.kind === 'unknown') return answer
    return done(Object.entries(answer.value.servers).map(([value, label]) => ({ value, label })))
  }

  /** Undefined for a game with a field that an order can't carry, which is left out: nobody could buy it. */
  const readFields = async (game: string): Promise<Outcome<VendorField[] | undefined>> => {
    const answer = await ask(fieldsAnswer, '/games/fields', { game })
    if (answer.kind === 'unknown') return answer
    const { fields: told, notes } = answer.kind === 'done' ? answer.value.info : { fields: [], notes: '' }
    const fields: VendorField[] = []
    // A game that lists no fields was seen to be told 404, and to want the player alone.
    for (const name of told.length > 0 ? told : ['userid']) {
      const known = fieldNames.get(name.toLowerCase().replaceAll('_', ''))
      if (!known) return done(undefined)
      const options = known.key === 'server_id' ? await readServers(game) : done([])
      if (options.kind !== 'done') return options
      const hasOptions = options.value.length > 0
      fields.push({
        key: known.key,
        // What a character's name stands for differs from game to game, and only the notes say it.
        label: known.key === 'charname' ? notes || known.label : known.label,
        type: hasOptions ? 'select' : 'text',
        isRequired: true,
        ...(hasOptions && { options: options.value }),
      })
    }
    return done(fields.some(({ key }) => key === 'player_id') ? fields : undefined)
  }

  return {
    /** What an offer costs, told as a text; null for what is no price, `rejected('no_such_offer')` where it is not sold. */
    async readPrice(game: string, name: string): Promise<Outcome<string | null>> {
      const answer = await ask(catalogue, `/games/${encodeURIComponent(game)}/catalogue`)
      if (answer.kind !== 'done') return answer
      const offers = answer.value.catalogues.map((row) => listedOffer.safeParse(row).data)
      const offer = offers.find((one) => one?.name === name)
      return offer ? done(offer.amount) : rejected('no_such_offer')
    },

    async listServices(cursor?: string) {
      const answer = await ask(games, '/games')
      if (answer.kind !== 'done') return answer
      const listed = readRows(answer.value.games, (row) => game.safeParse(row).data)
      if (listed.kind !== 'done') return listed
      return readServicePage(cutPage(listed.value, cursor, gamesPerPage), async ({ reference, title }) => {
        const fields = await readFields(reference)
        if (fields.kind !== 'done') return fields
        return done(
          fields.value && { reference, title, kind: 'topup', checkReference: reference, fields: fields.value },
        )
      })
    },

    async listProducts(game: string) {
      const answer = await ask(catalogue, `/games/${encodeURIComponent(game)}/catalogue`)
      if (answer.kind !== 'done') return answer
      const products = readRows(answer.value.catalogues, (row) => {
        const { name, amount } = listedOffer.safeParse(row).data ?? {}
        if (name === undefined || !amount) return undefined
        return { reference: `${game}/${name}`, name, cost: amount, currency: 'USD' }
      })
      return products.kind === 'done' ? done({ items: products.value }) : products
    },

    listOptions: async (game: string, field: string) => (field === 'server_id' ? readServers(game) : done([])),
  } satisfies Partial<Supplier> & Record<string, unknown>
}

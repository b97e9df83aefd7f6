import { STATUS_CODES } from 'node:http'
import { type Endpoint, listRefusals } from '@olmos/contract/endpoint'
import { type FailureCode, failureStatus } from '@olmos/contract/failure-codes'
import { refusalDetails } from '@olmos/contract/refusal-details'
import { z } from 'zod'
import { bodies, details, type JsonSchema, type Schemas, toExample } from './openapi-examples.ts'

const allCodes = Object.keys(failureStatus) as FailureCode[]

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** INSUFFICIENT_BALANCE becomes InsufficientBalance. */
const refusalName = (code: FailureCode): string =>
  code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const toRefusalExample = (code: FailureCode) => ({
  success: false,
  error: { code, message: STATUS_CODES[failureStatus[code]], ...(details[code] && { details: details[code] }) },
})

const toObject = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

/** Makes the shape that all refusals share, and a schema for every code with its details. */
function refusalSchemas({ toSchema }: Schemas): Record<string, JsonSchema> {
  const error = toObject({ code: { type: 'string', enum: allCodes }, message: { type: 'string' } })
  const common = {
    ...toObject({ success: { type: 'boolean', const: false }, error }),
    description: 'What every refusal has in common. Treat a code that you do not know by its HTTP status.',
  }
  const ofCode = allCodes.map((code) => {
    const shape: z.ZodType = refusalDetails[code]
    const isSure = !shape.safeParse(undefined).success
    const own = {
      code: { type: 'string', const: code },
      ...(!(shape instanceof z.ZodUndefined) && { details: toSchema(shape, 'output') }),
    }
    const detailed = toObject({ error: toObject(own, isSure ? ['code', 'details'] : ['code']) })
    return [refusalName(code), { allOf: [reference('Failure'), detailed] }] as const
  })
  return { Failure: common, ...Object.fromEntries(ofCode) }
}

const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before another try.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
}

function refusalResponse(status: number, codes: readonly FailureCode[]) {
  const schemas = codes.map((code) => reference(refusalName(code)))
  return {
    description: codes.join(', '),
    ...((status === 429 || status === 503) && { headers: retryAfter }),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

/** Describes a refusal with one of the codes, which all have the status; a code that is alone has a response to refer to. */
const toRefusal = (status: number, codes: readonly [FailureCode, ...FailureCode[]]) =>
  codes.length === 1 ? { $ref: `#/components/responses/${refusalName(codes[0])}` } : refusalResponse(status, codes)

/** Makes the components that the refusals of calls refer to. */
export const refusalComponents = (schemas: Schemas) => ({
  schemas: refusalSchemas(schemas),
  responses: Object.fromEntries(
    allCodes.map((code) => [refusalName(code), refusalResponse(failureStatus[code], [code])]),
  ),
  examples: Object.fromEntries(allCodes.map((code) => [code, { value: toRefusalExample(code) }])),
})

/** Assigns an admin's calls to a tag by the noun in their address; others belong to `admin`. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'admin catalogue': [
    'products',
    'offers',
    'denominations',
    'regions',
    'promotions',
    'coupons',
    'price-rules',
    'price-changes',
    'offer-changes',
    'offer-prices',
    'pending-prices',
  ],
  'admin codes': ['codes', 'code-batches', 'generated-codes'],
  'admin orders': ['orders', 'deliveries', 'suppliers'],
  'admin money': [
    'payments',
    'payment-methods',
    'payment-providers',
    'card-refunds',
    'disputes',
    'currency-rates',
    'fillings',
    'filling-settings',
    'fiscal-settings',
    'settings',
    'ledger',
    'topup',
    'reconciliation',
  ],
  'admin store': [
    'shop',
    'shop-texts',
    'shop-units',
    'shop-numbers',
    'shop-versions',
    'messages',
    'message-channels',
    'message-recipients',
    'notification-texts',
    'operator-texts',
  ],
  'admin users': ['users', 'staff', 'staff-roles', 'conversations', 'answer-templates', 'reviews', 'second-factor'],
}

function toTag({ access, path, tag }: Endpoint): string {
  if (access !== 'admin') return tag
  const noun = path.split('/')[2] ?? ''
  return Object.keys(areas).find((area) => areas[area]?.includes(noun)) ?? 'admin'
}

/** What a parameter means; the address says whose `id` it is. */
const parameterTexts: Readonly<Record<string, string>> = {
  page: 'Which page of the list, from 1.',
  pageSize: 'How many things a page holds.',
  search: 'Only what has this in it; the summary says where it is looked for.',
  sort: 'The column to sort by.',
  order: 'Whether the list rises or falls.',
  version: 'Which version of it; the newest one without it.',
  status: 'Only what is in this state.',
  state: 'Only what is in this state.',
  assignee: 'Only what the caller has, or what nobody has.',
  shown: 'How many of the newest messages are answered.',
  payment_method: 'Only what was paid for in this way.',
  dispute: 'Only what a bank says this against.',
  codeId: 'The id of the code.',
  codes: 'Whether its codes are shown, which is recorded.',
  regionId: 'The id of the region; where 0 is allowed it means no region.',
  productId: 'The id of the product.',
  product: 'Only what has this product in it, by its short name such as `roblox`.',
  cost: 'Only what has an unknown cost.',
  denominationId: 'The id of the denomination.',
  offerId: 'The id of the package.',
  actorId: 'Only what this user did.',
  action: 'Only what was done by this action, such as `product.update`.',
  subject: 'Only what was done to this, such as `product:17`.',
  day: 'The day in the time zone of the shop, such as `2026-11-20`.',
  period: 'Days that end today or yesterday, by the date of the shop; in place of `from` and `to`.',
  from: 'The first moment, or day, that is asked about.',
  to: 'The last moment, or day, that is asked about.',
  slug: 'The short name of the product in addresses, such as `roblox`.',
  batch: 'Only what came in with this batch of codes.',
  dryRun: 'Whether to tell only what would happen.',
  seenCodes: 'How many unsold codes were seen to go with it; when there are more by now, nothing is deleted.',
  seen: 'The digest of the preview that was seen; without it, prices that jump wait to be approved.',
  supplier: 'The name of the supplier.',
  name: 'The name of the supplier.',
  ticket: 'The last part of the address that `startExport` answered.',
  section: 'The name and contacts of the store, the texts of its pages, or the numbers of the business.',
  amount: 'The amount that is asked about, in major units, such as `12.50`.',
  method: 'The last part of the address, where the provider has one for each kind of call.',
  service: 'Only what belongs to the game with this id.',
  sourceId: 'The id of the source.',
  itemId: 'The id of the line of the order.',
  filter: 'Only what waits for an answer, is hidden, or was withdrawn.',
  stars: 'Only what has so many stars.',
  taken: 'Only what the shop sells, or only what it does not.',
  change: 'Only what is new, gone or dearer since then.',
  since: 'The moment with which now is compared.',
  provider: 'The name of the payment provider.',
  published: 'Only codes that are on sale, or only those that are not.',
  activated: 'Only codes that were activated, or only those that were not.',
  kind: 'Only products of this kind.',
  purpose: 'Only orders of goods, or only fillings of balances.',
  role: 'Only users with this role.',
  roleId: 'Only who has the role with this id.',
  category: 'Only what is in this category.',
  blocked: 'Only users who are blocked, or only those who are not.',
  currency: 'The currency that is asked about.',
  amount_from: 'The least amount, in major units, such as `12.50`.',
  amount_to: 'The most, in major units, such as `12.50`.',
  account: 'Only what went to this account: a player’s id, or a login.',
  payment: 'Only what this payment, by its id here or at its provider, was made for.',
  nickname: 'Only what users with this in their nickname did.',
  email: 'Only what has a receipt that went there, or belongs to who has it in the profile.',
  code: 'Only what this code, by its id, went into.',
  paid: 'Only orders that were paid, or only those that were not.',
  paid_by: 'Only what the method of this name paid for, or `balance`, or `code`.',
  refunded_from: 'The first day of refunds, in the time zone of the shop.',
  refunded_to: 'The last day of refunds, in the time zone of the shop.',
  refund_reason: 'Only what was refunded for this reason.',
  canceled_why: 'Only payments that came to nothing for this reason; `none` where nobody said why.',
  disputed_from: 'The first day of disputes, in the time zone of the shop.',
  disputed_to: 'The last day of disputes, in the time zone of the shop.',
  dispute_reason: 'Only what a bank disputed for this reason.',
  delivered_by: 'Only what this supplier delivered, or `by_hand`.',
  waits: 'Only alerts about what waits in a list of its own, or only the others.',
  customer: 'Only conversations of this customer.',
}

const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } })
const text = (description: string, example: string) => ({
  'text/plain': { schema: { type: 'string', description }, example },
})

const binary = { schema: { type: 'string', format: 'binary' } }
const files = { 'text/csv': binary, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': binary }

/**
 * Vendors' webhooks are refused in plain text with these; refusals that come before they are read have the usual shape.
 */
const plainly = [400, 404, 503]

function toResponses(row: Endpoint, { toSchema, definitions }: Schemas) {
  const byStatus = Map.groupBy(listRefusals(row), (code) => failureStatus[code])
  const refusals = [...byStatus].map(([status, codes]) => [
    status,
    row.raw && plainly.includes(status)
      ? { description: 'Refused, with the reason as text.', content: text('Why.', 'no such provider') }
      : toRefusal(status, codes as [FailureCode, ...FailureCode[]]),
  ])
  return { [row.status ?? 200]: toAnswer(row, { toSchema, definitions }), ...Object.fromEntries(refusals) }
}

function toAnswer(row: Endpoint, { toSchema, definitions }: Pick<Schemas, 'toSchema' | 'definitions'>) {
  if (row.status === 204) return { description: 'Done.' }
  const description = row.status === 201 ? 'Done, and something new is there.' : 'Done.'
  if (row.raw) return { description, content: text('What the machine wants to hear.', 'ok') }
  if (row.file) return { description: 'The file.', content: files }
  const schema = toSchema(row.answer, 'output')
  const example = toExample(schema, definitions)
  if (!row.stream) return { description, content: json(schema, example) }
  const stream = { type: 'string', contentMediaType: 'application/json', contentSchema: schema }
  return {
    description:
      'Server-sent events, until the store or the caller ends them: `data` of each is JSON. Lines that begin with a colon keep the connection alive.',
    content: { 'text/event-stream': { schema: stream, example: `data: ${JSON.stringify(example)}\n\n` } },
  }
}

function toBody(row: Endpoint, { toSchema, definitions }: Schemas) {
  if (row.raw) {
    const description = 'What the machine sends, in its own shape, signed by it.'
    const example = '{"event":"payment.succeeded","object":{"id":"22d6d597-000f-5000-9000-145f6df21d6f"}}'
    return { required: true, content: { '*/*': { schema: { type: 'string', description }, example } } }
  }
  if (!row.body) return undefined
  const schema = toSchema(row.body, 'input')
  const example = bodies[row.operationId] ?? toExample(schema, definitions, '', true)
  return { required: !row.body.safeParse(undefined).success, content: json(schema, example) }
}

/** `/admin/card-refunds/:id` becomes "card refund". */
const thingBefore = (path: string, name: string): string =>
  (
    path
      .split(`/:${name}`)[0]
      ?.split('/')
      .filter((part) => !part.startsWith(':'))
      .at(-1) ?? 'thing'
  )
    .replaceAll('-', ' ')
    .replace(/ies$/, 'y')
    .replace(/(?<!s)s$/, '')

function toParameters(row: Endpoint, { toParameter }: Schemas) {
  const parameters = (['params', 'query'] as const).flatMap((part) => {
    const schema = row[part]
    if (!(schema instanceof z.ZodObject)) return []
    return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || !field.safeParse(undefined).success,
      description:
        field.description ?? (name === 'id' ? `The id of the ${thingBefore(row.path, name)}.` : parameterTexts[name]),
      schema: toParameter(field),
    }))
  })
  const key = row.needsKey ? 'RequiredIdempotencyKey' : 'IdempotencyKey'
  return row.idempotent ? [...parameters, { $ref: `#/components/parameters/${key}` }] : parameters
}

const callers = {
  visitor: 'For everybody; no token is needed.',
  customer: 'For whoever is logged in, about themselves.',
  admin: 'For admins.',
}

function describe(row: Endpoint): string {
  return [
    row.raw ? 'For a machine that proves by its signature who it is.' : callers[row.access],
    row.permission && row.permission !== 'own' && `Their role needs the permission \`${row.permission}\`.`,
    row.knowsCaller && 'With a token, it is known who calls.',
    row.confirmed &&
      'An admin with a second factor is asked for it again, unless it was given a moment ago: 401 SECOND_FACTOR_REQUIRED, then `POST /api/auth/second-factor/confirm-again`.',
    row.idempotent &&
      'Takes an `Idempotency-Key`: the same call under the same key happens once, and is answered once and for all.',
    row.needsKey && 'It is refused without one.',
  ]
    .filter(Boolean)
    .join(' ')
}

const toSecurity = ({ access, knowsCaller }: Endpoint) =>
  access === 'visitor' ? (knowsCaller ? [{}, { bearer: [] }] : []) : [{ bearer: [] }]

/** Describes one row: who may call it, what it takes, and what it answers or refuses with. */
export function toOperation(row: Endpoint, schemas: Schemas) {
  const requestBody = toBody(row, schemas)
  const parameters = toParameters(row, schemas)
  return {
    operationId: row.operationId,
    tags: [toTag(row)],
    summary: row.summary,
    description: describe(row),
    security: toSecurity(row),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: toResponses(row, schemas),
  }
}

import { STATUS_CODES } from 'node:http'
import { type Endpoint, listRefusals } from '@olmos/contract/endpoint'
import { type FailureCode, failureStatus } from '@olmos/contract/failure-codes'
import { refusalDetails } from '@olmos/contract/refusal-details'
import { z } from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { bodies, details, toExample } from './openapi-examples.ts'
import { createSchemas, type JsonSchema } from './openapi-schemas.ts'

/** Explains the tags and what they contain. A row with another tag needs a line here. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Customer: {
    accounts: 'Opening an account, logging in and out, the profile.',
    catalogue: 'What is sold: products, and their packages with prices and stock.',
    promotions: 'What the shop announces.',
    cart: 'What somebody is about to buy.',
    topups: 'Top-ups of games: finding the player, what can be bought, buying without a cart.',
    checkout: 'Paying for the cart from the balance.',
    payments: 'Paying by card, and the sandbox that plays the provider.',
    orders: 'What was bought: orders, receipts with codes, news of them.',
    wallet: 'Balances, and what moved them.',
    support: 'Messages to the operator.',
  },
  Operator: {
    'admin catalogue': 'Products, packages, denominations, regions and promotions as they are edited.',
    'admin codes': 'Stock: importing, generating, showing, publishing and recalling codes.',
    'admin orders': 'Orders of everybody, refunds, deliveries and suppliers.',
    'admin money': 'Payments, disputes, rates and the proof of the ledger.',
    'admin users': 'Users, their balances, messages to the operator, the own second factor.',
    admin: 'Running the shop: figures, alerts, who did what.',
  },
  Machines: {
    webhooks: 'What payment providers and suppliers tell, each in its own shape and signed by it.',
    machines: 'Whether this node lives, and whether it can serve.',
  },
}

/** Assigns an admin's calls to a tag by the noun in their address; others belong to `admin`. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'admin catalogue': ['products', 'offers', 'denominations', 'regions', 'promotions'],
  'admin codes': ['codes', 'code-batches', 'generated-codes'],
  'admin orders': ['orders', 'deliveries', 'suppliers'],
  'admin money': ['payments', 'card-refunds', 'disputes', 'currency-rates', 'settings', 'ledger', 'topup'],
  'admin users': ['users', 'support-messages', 'second-factor'],
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
  status: 'Only what is in this state.',
  state: 'Only what is in this state.',
  payment_method: 'Only what was paid for in this way.',
  dispute: 'Only what a bank says this against.',
  codeId: 'The id of the code.',
  regionId: 'The id of the region; where 0 is allowed it means no region.',
  productId: 'The id of the product.',
  denominationId: 'The id of the denomination.',
  offerId: 'The id of the package.',
  actorId: 'Only what this user did.',
  action: 'Only what was done by this action, such as `product.update`.',
  subject: 'Only what was done to this, such as `product:17`.',
  from: 'The first moment, or day, that is asked about.',
  to: 'The last moment, or day, that is asked about.',
  slug: 'The short name of the product in addresses, such as `roblox`.',
  batch: 'Only what came in with this batch of codes.',
  dryRun: 'Whether to tell only what would happen.',
  supplier: 'The name of the supplier.',
  provider: 'The name of the payment provider.',
  published: 'Only codes that are on sale, or only those that are not.',
  activated: 'Only codes that were activated, or only those that were not.',
  kind: 'Only products of this kind.',
  role: 'Only users with this role.',
  blocked: 'Only users who are blocked, or only those who are not.',
  currency: 'Only movements in this currency.',
}

const idempotencyText =
  `Whatever moves money or codes must not happen twice. Send an \`Idempotency-Key\` of your own making, 1 to ${SERVER_LIMITS.idempotencyKeyLength} characters, ` +
  'before the first try, and the same one with every retry of the same purchase: a call under a key that was answered gets its first answer again, ' +
  'byte for byte, and nothing happens. Two calls under one key at the same moment: one runs, the other gets its answer. The same key with another body is ' +
  'refused with 409 IDEMPOTENCY_KEY_REUSED. A refused call keeps nothing, so its key may be tried again. Keys are yours alone and are kept for ' +
  `${SERVER_LIMITS.idempotencyKeyDays} days. Without a key, an answer that got lost can't be told from a call that never came.`

const about = `Every call of the store, the same that its own pages use.

**Logging in.** \`POST /api/auth/login\` answers a token; send it as \`Authorization: Bearer <token>\`. It lives for ${SERVER_BUSINESS.sessionDays} days, an admin's for ${SERVER_BUSINESS.adminSession.hours} hours and ${SERVER_BUSINESS.adminSession.idleMinutes} minutes without a call, or until it is logged out.

**Refusals.** Whatever is not done answers \`{"success": false, "error": {"code", "message", "details"}}\`. Rely on \`code\` and on \`details\`, which each code has in a shape of its own; \`message\` is for people who read logs.

**Money** is a number in major units with at most two decimals. Prices that are sent are those the customer saw: the store prices everything itself, and where its price is another one it refuses with 409 PRICE_CHANGED and tells the price in force.

**Retries.** 429 and 503 carry \`Retry-After\` in seconds. Calls that move money or codes take an \`Idempotency-Key\`.

**Languages.** Texts come in the language of \`Accept-Language\`: ru, en or uz; ru otherwise. Reads of the catalogue carry an \`ETag\`; send it as \`If-None-Match\` and what is unchanged is 304.

Answers may get new fields at any time, and codes new details; bodies with fields the store does not know are refused.`

type Operation = Record<string, unknown>

const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } })
const text = (description: string, example: string) => ({
  'text/plain': { schema: { type: 'string', description }, example },
})
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
type Schemas = ReturnType<typeof createSchemas>

function refusalSchemas({ toSchema }: Schemas): Record<string, JsonSchema> {
  const codes = Object.keys(failureStatus) as FailureCode[]
  const error = toObject({ code: { type: 'string', enum: codes }, message: { type: 'string' } })
  const common = {
    ...toObject({ success: { type: 'boolean', const: false }, error }),
    description: 'What every refusal has in common. Treat a code that you do not know by its HTTP status.',
  }
  const ofCode = codes.map((code) => {
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
      : codes.length === 1
        ? { $ref: `#/components/responses/${refusalName(codes[0] as FailureCode)}` }
        : refusalResponse(status, codes),
  ])
  return { [row.status ?? 200]: toAnswer(row, { toSchema, definitions }), ...Object.fromEntries(refusals) }
}

function toAnswer(row: Endpoint, { toSchema, definitions }: Pick<Schemas, 'toSchema' | 'definitions'>) {
  if (row.status === 204) return { description: 'Done.' }
  const description = row.status === 201 ? 'Done, and something new is there.' : 'Done.'
  if (row.raw) return { description, content: text('What the machine wants to hear.', 'ok') }
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
  return row.idempotent ? [...parameters, { $ref: '#/components/parameters/IdempotencyKey' }] : parameters
}

const callers = {
  visitor: 'For everybody; no token is needed.',
  customer: 'For whoever is logged in, about themselves.',
  admin: 'For admins.',
}

function describe(row: Endpoint): string {
  return [
    row.raw ? 'For a machine that proves by its signature who it is.' : callers[row.access],
    row.knowsCaller && 'With a token, it is known who calls.',
    row.confirmed &&
      'An admin with a second factor is asked for it again, unless it was given a moment ago: 401 SECOND_FACTOR_REQUIRED, then `POST /api/auth/second-factor/confirm-again`.',
    row.idempotent &&
      'Takes an `Idempotency-Key`: the same call under the same key happens once, and is answered once and for all.',
  ]
    .filter(Boolean)
    .join(' ')
}

const toSecurity = ({ access, knowsCaller }: Endpoint) =>
  access === 'visitor' ? (knowsCaller ? [{}, { bearer: [] }] : []) : [{ bearer: [] }]

function toOperation(row: Endpoint, schemas: Schemas): Operation {
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

/** Describes the rows as OpenAPI, the way it is served at `url`. */
export function describeApi(rows: readonly Endpoint[], { url }: { url: string }) {
  const schemas = createSchemas()
  // Answers come first, so that they get the plain names.
  for (const row of rows) schemas.toSchema(row.answer, 'output')
  const refusals = refusalSchemas(schemas)
  const paths: Record<string, Record<string, Operation>> = {}
  for (const row of rows) {
    const path = `/api${row.path.replaceAll(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: toOperation(row, schemas) }
  }
  const codes = Object.keys(failureStatus) as FailureCode[]
  const alone = codes.map((code) => [refusalName(code), refusalResponse(failureStatus[code], [code])])
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Olmos',
      version: packageJson.version,
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this shop', url: `${url}/support` },
    },
    servers: [{ url, description: 'This shop' }],
    tags: Object.values(groups).flatMap((group) =>
      Object.entries(group).map(([name, description]) => ({ name, description })),
    ),
    'x-tagGroups': Object.entries(groups).map(([name, group]) => ({ name, tags: Object.keys(group) })),
    paths,
    components: {
      schemas: { ...schemas.definitions, ...refusals },
      responses: Object.fromEntries(alone),
      examples: Object.fromEntries(codes.map((code) => [code, { value: toRefusalExample(code) }])),
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: idempotencyText,
          schema: { type: 'string', minLength: 1, maxLength: SERVER_LIMITS.idempotencyKeyLength },
          example: '7c9e6679f7424de0944be07fc1f90ae7',
        },
      },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The `token` that `POST /api/auth/login` or `POST /api/auth/register` answers.',
        },
      },
    },
  }
  return withoutUnused(document)
}

/** Removes components that nothing references, until each of the rest is used. */
function withoutUnused<Document extends { components: Record<string, Record<string, unknown>> }>(document: Document) {
  for (;;) {
    const text = JSON.stringify(document)
    const unused = (['schemas', 'responses', 'examples'] as const).flatMap((kind) =>
      Object.keys(document.components[kind] ?? {})
        .filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
        .map((name) => [kind, name] as const),
    )
    if (unused.length === 0) return document
    for (const [kind, name] of unused) delete document.components[kind]?.[name]
  }
}

import { createHash } from 'node:crypto'
import type { Endpoint } from '@olmos/contract/endpoint'
import Fastify, { type FastifyInstance } from 'fastify'
import { SERVER_BUSINESS } from '../../business.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { build } from '../process.ts'
import { createSchemas } from './openapi-examples.ts'
import { refusalComponents, toOperation } from './openapi-operations.ts'

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
    store: 'What the store is called, and where its people are reached.',
  },
  Operator: {
    'admin catalogue': 'Products, packages, denominations, regions and promotions as they are edited.',
    'admin codes': 'Stock: importing, generating, showing, publishing and recalling codes.',
    'admin orders': 'Orders of everybody, refunds, deliveries and suppliers.',
    'admin money': 'Payments, disputes, rates and the proof of the ledger.',
    'admin store': 'The name of the store, its contacts, the texts of its pages.',
    'admin users': 'Users, their balances, messages to the operator, the own second factor.',
    admin: 'Running the shop: figures, alerts, who did what.',
  },
  Machines: {
    webhooks: 'What payment providers and suppliers tell, each in its own shape and signed by it.',
    machines: 'Whether this node lives, and whether it can serve.',
  },
}

const idempotencyText =
  `Whatever moves money or codes must not happen twice. Send an \`Idempotency-Key\` of your own making, 1 to ${SERVER_LIMITS.idempotencyKeyLength} characters, ` +
  'before the first try, and the same one with every retry of the same purchase: a call under a key that was answered gets its first answer again, ' +
  'byte for byte, and nothing happens. Two calls under one key at the same moment: one runs, the other gets its answer. The same key with another body is ' +
  'refused with 409 IDEMPOTENCY_KEY_REUSED. A refused call keeps nothing, so its key may be tried again. Keys are yours alone and are kept for ' +
  `${SERVER_LIMITS.idempotencyKeyDays} days. Without a key, an answer that got lost can't be told from a call that never came.`

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: idempotencyText,
  schema: { type: 'string', minLength: 1, maxLength: SERVER_LIMITS.idempotencyKeyLength },
  example: '7c9e6679f7424de0944be07fc1f90ae7',
}

const about = `Every call of the store, the same that its own pages use.

**Logging in.** \`POST /api/auth/login\` answers a token; send it as \`Authorization: Bearer <token>\`. It lives for ${SERVER_BUSINESS.sessionDays} days, an admin's for ${SERVER_BUSINESS.adminSession.hours} hours and ${SERVER_BUSINESS.adminSession.idleMinutes} minutes without a call, or until it is logged out.

**Refusals.** Whatever is not done answers \`{"success": false, "error": {"code", "message", "details"}}\`. Rely on \`code\` and on \`details\`, which each code has in a shape of its own; \`message\` is for people who read logs.

**Money** is a number in major units with at most two decimals. Prices that are sent are those the customer saw: the store prices everything itself, and where its price is another one it refuses with 409 PRICE_CHANGED and tells the price in force.

**Retries.** 429 and 503 carry \`Retry-After\` in seconds. Calls that move money or codes take an \`Idempotency-Key\`.

**Languages.** Texts come in the language of \`Accept-Language\`: ru, en or uz; ru otherwise. Reads of the catalogue carry an \`ETag\`; send it as \`If-None-Match\` and what is unchanged is 304.

Answers may get new fields at any time, and codes new details; bodies with fields the store does not know are refused.`

/** Describes the rows as OpenAPI, the way it is served at `url`. */
export function describeApi(rows: readonly Endpoint[], { url }: { url: string }) {
  const schemas = createSchemas()
  // Answers come first, so that they get the plain names.
  for (const row of rows) schemas.toSchema(row.answer, 'output')
  const refusals = refusalComponents(schemas)
  const paths: Record<string, Record<string, ReturnType<typeof toOperation>>> = {}
  for (const row of rows) {
    const path = `/api${row.path.replaceAll(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: toOperation(row, schemas) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Olmos',
      version: build.version,
      'x-build': build.commit,
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
      ...refusals,
      schemas: { ...schemas.definitions, ...refusals.schemas },
      parameters: {
        IdempotencyKey: { ...idempotencyKey, required: false },
        RequiredIdempotencyKey: { ...idempotencyKey, required: true },
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
    const unused = (['schemas', 'responses', 'examples', 'parameters'] as const).flatMap((kind) =>
      Object.keys(document.components[kind] ?? {})
        .filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
        .map((name) => [kind, name] as const),
    )
    if (unused.length === 0) return document
    for (const [kind, name] of unused) delete document.components[kind]?.[name]
  }
}

interface Described {
  url: string
  rows: readonly Endpoint[]
}

/** Serves the rows as OpenAPI at /api/openapi.json, and a page to read it at /api/docs. */
export async function apiReference(app: FastifyInstance, { url, rows }: Described): Promise<void> {
  let document: string | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(describeApi(rows, { url }))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(document)
  })
  let reader: Promise<FastifyInstance> | undefined
  for (const path of ['/api/docs', '/api/docs/js/scalar.js']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      reader ??= openReader()
      const { statusCode, headers, payload } = await (await reader).inject({ method: 'GET', url: request.url })
      if (headers.location !== undefined) return reply.redirect(headers.location, statusCode)
      const type = headers['content-type'] ?? ''
      if (type.startsWith('text/html')) reply.header('content-security-policy', contentPolicy(payload))
      return reply.code(statusCode).type(type).send(payload)
    })
  }
}

/** Loads the reference when somebody first asks for it, because its script takes 17 MB of memory. */
async function openReader(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const reader = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await reader.register(scalar, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      proxyUrl: '',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  })
  return reader
}

const inlineScript = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g

/** Nothing on the page comes from a request, so every script in it is its own. It may only talk to this store. */
function contentPolicy(page: string): string {
  const digests = [...page.matchAll(inlineScript)].map(
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${digests.join(' ')}`,
    // The reference writes its styles into the page.
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

import { createHash } from 'node:crypto'
import type { Endpoint } from '@olmos/contract/endpoint'
import Fastify, { type FastifyInstance } from 'fastify'
import { describeApi } from './openapi.ts'

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

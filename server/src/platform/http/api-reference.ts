import { createHash } from 'node:crypto'
import type { Endpoint } from '@olmos/contract/endpoint'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
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
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply, page) => {
      if (typeof page === 'string') reply.header('content-security-policy', contentPolicy(page))
    })
    await docs.register(scalar, {
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
  })
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

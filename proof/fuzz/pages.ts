import type { Chance } from '../random.ts'
import { contentTypes, pathParts, queryValues, someBytes, strangeHeaders } from './hostile.ts'
import type { FuzzRequest } from './request.ts'
import { type FuzzWorld, fuzzCallers } from './world.ts'

const places = [
  ...['/', '/login', '/register', '/products', '/products/freefire', '/products/pubg', '/products/steam', '/cart'],
  ...[
    '/checkout',
    '/orders',
    '/profile',
    '/support',
    '/support/:id',
    '/conversation',
    '/notifications',
    '/admin',
    '/admin/users',
    '/robots.txt',
    '/sitemap.xml',
  ],
  ...[
    '/offline.html',
    '/metrics',
    '/api/openapi.json',
    '/api/docs/',
    '/api/docs/js/scalar.js',
    '/api',
    '/api/',
    '/404',
  ],
  ...['/products/:slug', '/orders/:id', '/sandbox/pay/:id', '/assets/:file', '/products/:slug.data', '/login.data'],
]

const odd = [
  '//',
  '///evil.example',
  '/\\evil.example',
  '/products/..',
  '/%2e%2e/',
  '/#',
  '/%',
  '/%00',
  '/.env',
  '/products#1',
]

/** A page, a file, or an address where none is. */
export function aPage(world: FuzzWorld, chance: Chance): FuzzRequest {
  const mutations: string[] = []
  const place = chance.isTrue(0.15) ? chance.pick(odd) : chance.pick(places)
  const path = place.replace(/:(\w+)/, () =>
    chance.pick([...pathParts, ...world.ids.map((id) => encodeURIComponent(String(id)))]),
  )
  const query: string[] = []
  while (chance.isTrue(0.4))
    query.push(
      `${chance.pick(['lang', 'q', 'page', 'search', 'returnTo', '__proto__', 'lang[]'])}=${chance.pick([...queryValues, 'en', 'uz'])}`,
    )
  const headers: Record<string, string | string[]> = {}
  while (chance.isTrue(0.4)) {
    const [name, value] = chance.pick(strangeHeaders)
    headers[name] = value
    mutations.push(`${name}: ${String(value).slice(0, 30)}`)
  }
  const caller = chance.pick(fuzzCallers)
  const token = world.tokens[caller]
  const method = chance.isTrue(0.7) ? 'GET' : chance.pick(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
  const body = method === 'GET' || method === 'HEAD' || chance.isTrue(0.5) ? undefined : someBytes(chance)
  if (body) headers['content-type'] = chance.pick(contentTypes)
  return {
    call: `page ${place}`,
    caller,
    method,
    path: path + (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}`, cookie: `language=en; token=${token}` }),
      ...headers,
    },
    body,
    mutations,
  }
}

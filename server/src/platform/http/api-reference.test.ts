import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { endpoints, toName } from '../../../test/endpoints.ts'
import { startShop } from '../../../test/shop.ts'
import { useShop } from '../../../test/use-shop.ts'

const shop = useShop({ PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: '1' })

const methods = ['get', 'post', 'put', 'delete'] as const
type Operation = {
  summary?: string
  security?: object[]
  parameters?: { name: string; in: string }[]
  requestBody?: object
  responses: Record<string, { content?: Record<string, object> }>
}
type Description = { servers: object[]; paths: Record<string, Partial<Record<(typeof methods)[number], Operation>>> }
const describe = async (): Promise<Description> => (await shop.call('GET', '/openapi.json')).body

test('the description is valid OpenAPI 3.1', async () => {
  const answer = await shop.call('GET', '/openapi.json')
  expect(answer.status).toBe(200)
  expect(answer.body.openapi).toMatch(/^3\.1\./)
  const result = await new Validator().validate(answer.body)
  expect(result).toMatchObject({ valid: true })
})

test('it has every endpoint of the contract and nothing else', async () => {
  const { paths, servers } = await describe()
  const described = Object.entries(paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`),
  )
  const expected = endpoints.map((endpoint) => toName(endpoint).replace(/:(\w+)/g, '{$1}'))
  expect(described.toSorted()).toEqual(expected.toSorted())
  expect(servers).toEqual([{ url: 'https://shop.example', description: 'This shop' }])
})

test('each tells who may call it, what it takes and what it answers', async () => {
  const { paths } = await describe()
  for (const endpoint of endpoints) {
    const path = `/api${endpoint.path.replace(/:(\w+)/g, '{$1}')}`
    const operation = paths[path]?.[endpoint.method.toLowerCase() as (typeof methods)[number]] as Operation
    const parameters = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const described = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map(({ name }) => name)
    const answer = operation.responses[String(endpoint.status ?? 200)]
    expect([path, operation.summary]).toEqual([path, endpoint.summary])
    const tokens = endpoint.access === 'visitor' ? (endpoint.knowsCaller ? [{}, { bearer: [] }] : []) : [{ bearer: [] }]
    expect([path, operation.security]).toEqual([path, tokens])
    expect([path, described]).toEqual([path, parameters])
    expect([path, operation.requestBody !== undefined]).toEqual([
      path,
      endpoint.body !== undefined || endpoint.raw === true,
    ])
    expect([path, answer !== undefined]).toEqual([path, true])
  }
})

test('the page to read it loads nothing from elsewhere', async () => {
  const asked = await shop.call('GET', '/docs')
  expect([asked.status, asked.headers.location]).toEqual([301, '/api/docs/'])
  const page = await shop.call('GET', '/docs/')
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('"url": "/api/openapi.json"')
  expect(page.text).toContain('"withDefaultFonts": false')
  expect(page.text.match(/https?:\/\/[^\s"'<]+/g)).toBeNull()
  const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
  expect(loaded).toEqual(['js/scalar.js'])
  const script = await shop.call('GET', '/docs/js/scalar.js')
  expect([script.status, script.text.length > 100_000]).toEqual([200, true])
})

test('the page to read it may speak with nobody else, and runs no script but its own', async () => {
  const page = await shop.call('GET', '/docs/')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'(?:;| 'sha256-[^']+')/)
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toContain('unsafe-eval')
  expect(page.text).toContain('"telemetry": false')
  expect(page.text).toContain('"proxyUrl": ""')
})

test('in production neither is there unless it was asked for', async () => {
  const production = { NODE_ENV: 'production', RATE_LIMITS: 'on', PAYMENT_PROVIDERS: 'none', SUPPLIERS: 'none' }
  const statuses = async (settings: Record<string, string>) => {
    const other = await startShop({ ...production, ...settings })
    const answers = await Promise.all(
      ['/docs/', '/docs/js/scalar.js', '/openapi.json'].map((path) => other.call('GET', path)),
    )
    await other.close()
    return answers.map(({ status }) => status)
  }
  expect(await statuses({})).toEqual([404, 404, 404])
  expect(await statuses({ API_DOCS: 'on' })).toEqual([200, 200, 200])
})

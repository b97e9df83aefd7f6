import { listRefusals } from '@olmos/contract/endpoint'
import { type FailureCode, failureStatus } from '@olmos/contract/failure-codes'
import { refusalDetails } from '@olmos/contract/refusal-details'
import { describe, expect, test } from 'vitest'
import packageJson from '../../../../package.json' with { type: 'json' }
import { endpoints, toName } from '../../../test/endpoints.ts'
import { describeApi } from './openapi.ts'
import { details } from './openapi-examples.ts'

const document = describeApi(endpoints, { url: 'https://shop.example' })
const { components } = document

interface Media {
  schema: Record<string, unknown>
  example?: unknown
}
interface Operation {
  description: string
  tags: string[]
  parameters?: { $ref?: string; name: string; description?: string; schema: { type?: string } }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, Media> }>
}
const toOperation = ({ method, path }: (typeof endpoints)[number]) =>
  document.paths[`/api${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()] as unknown as Operation

const toResponse = (operation: Operation, status: number) => {
  const response = operation.responses[status]
  const name = response?.$ref?.split('/').at(-1)
  return name === undefined ? response : (components.responses[name] as NonNullable<typeof response>)
}

describe.each(endpoints.map((row) => [toName(row), row] as const))('%s', (name, row) => {
  const operation = toOperation(row)

  test('stands under a tag that is described, and says who may call it', () => {
    const described = document.tags.map((tag) => tag.name)
    const help = `the tag '${operation.tags[0]}' of ${name} needs a sentence in \`groups\` of server/src/platform/http/openapi.ts`
    expect(described, help).toContain(operation.tags[0])
    expect(
      document['x-tagGroups'].find(({ name }) => name === 'Operator')?.tags.includes(operation.tags[0] ?? ''),
    ).toBe(row.access === 'admin')
    expect(operation.description).toMatch(/^For .*\.$/s)
  })

  test('describes each parameter, and what is a number is one', () => {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.$ref) continue
      const help = `the parameter ${parameter.name} of ${name} needs a sentence in \`parameterTexts\` of server/src/platform/http/openapi-operations.ts`
      expect(parameter.description, help).toMatch(/^[A-Z].*\.$/)
    }
    const byName = Object.fromEntries((operation.parameters ?? []).map(({ name, schema }) => [name, schema?.type]))
    for (const number of ['page', 'pageSize', 'regionId', 'codeId']) {
      if (number in byName) expect([number, byName[number]]).toEqual([number, 'integer'])
    }
  })

  test('shows every refusal with its status, code and details', () => {
    for (const code of listRefusals(row)) {
      const response = toResponse(operation, failureStatus[code])
      expect([code, response !== undefined]).toEqual([code, true])
      const shown = JSON.stringify(response?.content)
      if (!row.raw) expect(shown).toContain(`"#/components/examples/${code}"`)
      if ([429, 503].includes(failureStatus[code]) && !row.raw) expect(response?.headers).toHaveProperty('Retry-After')
    }
  })

  test('has examples that fit: of the body, and of the answer', () => {
    const help = `the example of ${row.operationId} does not fit: add its field to \`fields\`, or a whole body to \`bodies\`, in server/src/platform/http/openapi-examples.ts`
    if (row.body) {
      const example = operation.requestBody?.content['application/json']?.example
      expect(row.body.safeParse(example).error?.issues, help).toBeUndefined()
    }
    if (row.raw) expect(operation.requestBody?.content['*/*']?.example).toEqual(expect.any(String))
    const answered = operation.responses[row.status ?? 200]?.content
    if (row.stream) expect(answered?.['text/event-stream']?.example).toMatch(/^data: \{.*\}\n\n$/)
    if (row.status === 204 || row.raw || row.stream) return
    expect(row.answer.safeParse(answered?.['application/json']?.example).error?.issues, help).toBeUndefined()
  })

  test('takes an Idempotency-Key where the same call must not happen twice, and nowhere else', () => {
    const keys = (operation.parameters ?? []).flatMap(({ $ref }) => ($ref?.endsWith('IdempotencyKey') ? [$ref] : []))
    const name = row.needsKey ? 'RequiredIdempotencyKey' : 'IdempotencyKey'
    expect(keys).toEqual(row.idempotent ? [`#/components/parameters/${name}`] : [])
  })
})

test.each(Object.keys(failureStatus) as FailureCode[])('the example of %s has details that fit', (code) => {
  expect(refusalDetails[code].safeParse(details[code]).error?.issues).toBeUndefined()
})

test('it says which version this is, by which licence, and whom to ask', () => {
  expect(document.info).toMatchObject({ version: packageJson.version, 'x-build': null, license: { name: 'MIT' } })
  expect(document.info.contact.url).toBe('https://shop.example/support')
  expect(components.securitySchemes.bearer.description).toContain('/api/auth/login')
  expect(document['x-tagGroups'].map(({ name }) => name)).toEqual(['Customer', 'Operator', 'Machines'])
})

test('shapes that are shared have a name, and no bound that only JSON has is told', () => {
  for (const name of [
    'Product',
    'Order',
    'Receipt',
    'CartItem',
    'Profile',
    'Money',
    'Failure',
    'InsufficientBalance',
  ]) {
    expect(components.schemas).toHaveProperty(name)
  }
  expect(Object.keys(components.schemas).filter((name) => name.endsWith('Input'))).toEqual([])
  expect(JSON.stringify(document)).not.toContain('9007199254740991')
})

test('a code of a refusal is told apart by a client, with the details it comes with', () => {
  expect(components.schemas.InsufficientBalance).toMatchObject({
    allOf: [
      { $ref: '#/components/schemas/Failure' },
      {
        properties: {
          error: {
            properties: {
              code: { const: 'INSUFFICIENT_BALANCE' },
              details: { required: ['required', 'available', 'currency'] },
            },
            required: ['code', 'details'],
          },
        },
      },
    ],
  })
})

test('a conflict is one of the shapes of its reasons', () => {
  const shape = (reason: object) => ({ properties: { reason }, required: expect.arrayContaining(['reason']) })
  const shapes = refusalDetails.STATE_CONFLICT.options.map(({ shape: { reason } }) => {
    const [one, ...others] = reason._zod.values ?? []
    return shape({ type: 'string', ...(others.length === 0 ? { const: one } : { enum: [one, ...others] }) })
  })
  expect(components.schemas.StateConflict).toMatchObject({
    allOf: [
      {},
      { properties: { error: { properties: { details: { oneOf: shapes } }, required: ['code', 'details'] } } },
    ],
  })
})

import { expect, test } from 'vitest'
import { describeApi } from '../server/src/platform/http/openapi.ts'
import { complaintsAbout, contractRows } from './check-openapi.ts'

const rows = await contractRows()
const row = rows.find(({ operationId }) => operationId === 'addToCart')
if (!row) throw new Error('no such row')

type Document = ReturnType<typeof describeApi>
type Broken = { [name: string]: unknown; responses: Record<string, { content: Record<string, { example: unknown }> }> }

test.each<[string, RegExp, (operation: Broken, document: Document) => void]>([
  ['an operation without an id', /operation-operationId/, (operation) => delete operation.operationId],
  ['a tag nobody describes', /operation-tag-defined/, (operation) => Object.assign(operation, { tags: ['unheard'] })],
  ['a call that says nothing of tokens', /security-defined/, (operation) => delete operation.security],
  [
    'a call without a refusal',
    /4xx/,
    (operation) => Object.assign(operation, { responses: { 200: { description: 'Done' } } }),
  ],
  [
    'a reference to nothing',
    /no-unresolved-refs|invalid-ref/,
    (operation) => Object.assign(operation, { parameters: [{ $ref: '#/components/parameters/Nothing' }] }),
  ],
  [
    'an example that does not fit',
    /example/,
    ({ responses }) =>
      Object.assign(responses[201]?.content['application/json'] ?? {}, { example: { success: 'yes' } }),
  ],
  ['no licence', /license/, (_operation, { info }) => delete (info as { license?: object }).license],
])(
  'the check of the API description refuses %s',
  async (_name, complaint, plant) => {
    const document = describeApi([row], { url: 'https://shop.example' })
    // Tags of other rows are none of this one's.
    document.tags = document.tags.filter(({ name }) => name === row.tag)
    expect(await complaintsAbout(document)).toEqual([])
    plant(document.paths['/api/cart/add']?.post as Broken, document)
    expect((await complaintsAbout(document)).join('\n')).toMatch(complaint)
  },
  60_000,
)

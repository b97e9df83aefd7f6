import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** As far as OpenAPI describes values. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
}

interface Description {
  paths: Record<string, Partial<Record<string, DescribedOperation>>>
}

interface DescribedOperation {
  security?: object[]
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

/** A call as /api/openapi.json describes it. */
export interface Operation {
  /** 'GET /orders/:id', as the contract names it. */
  name: string
  method: string
  /** With `:name` for parameters, below /api. */
  path: string
  isProtected: boolean
  query: Readonly<Record<string, Schema>>
  body: Schema | undefined
  /** By the status of a success: what is wrong about an answer's body, if it was described. */
  answers: ReadonlyMap<number, (body: unknown) => string | undefined>
}

const methods = ['get', 'post', 'put', 'delete'] as const

/** Every operation of the description. Throws when it has none: a run would prove nothing. */
export function listOperations(description: unknown): Operation[] {
  const { paths } = withoutReferences(description, description) as Description
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [toOperation(ajv, method.toUpperCase(), path, operation)] : []
    }),
  )
  if (operations.length === 0) throw new Error('The description of the calls is empty.')
  return operations
}

/** What `#/components/…` names stands in the place of its name. The description has no shapes that hold themselves. */
function withoutReferences(node: unknown, description: unknown): unknown {
  if (Array.isArray(node)) return node.map((part) => withoutReferences(part, description))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as Record<string, unknown>
  const named = typeof $ref === 'string' ? withoutReferences(atPointer(description, $ref), description) : undefined
  const own = Object.entries(rest).map(([key, part]) => [key, withoutReferences(part, description)])
  return { ...(named as object | undefined), ...Object.fromEntries(own) }
}

/** What is not described is too much: an answer that says more than it promised may say what nobody should read. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf, oneOf, additionalProperties } = schema
  const parts = (all: Schema[] | undefined) => all?.map(closed)
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, closed(part)])),
      additionalProperties: additionalProperties ?? false,
    }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: parts(anyOf) }),
    ...(oneOf && { oneOf: parts(oneOf) }),
  } as Schema
}

function atPointer(description: unknown, pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/')
  const found = steps.reduce<unknown>(
    (part, step) => (part as Record<string, unknown> | undefined)?.[step],
    description,
  )
  if (found === undefined) throw new Error(`The description names ${pointer}, which it does not have.`)
  return found
}

function toOperation(ajv: Ajv2020, method: string, described: string, operation: DescribedOperation): Operation {
  const path = described.replace(/^\/api/, '').replace(/\{(\w+)\}/g, ':$1')
  const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return {
    name: `${method} ${path}`,
    method,
    path,
    // A call that knows its callers but asks for none names no scheme as one of the ways.
    isProtected: operation.security?.length !== 0 && !operation.security?.some((way) => Object.keys(way).length === 0),
    query: Object.fromEntries(inQuery.map(({ name, schema = {} }) => [name, schema])),
    body: Object.values(operation.requestBody?.content ?? {})[0]?.schema,
    answers: new Map(
      Object.entries(operation.responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, { content }]) => {
          const schema = Object.values(content ?? {})[0]?.schema
          return [Number(status), complaintBy(schema && ajv.compile(closed(schema)))]
        }),
    ),
  }
}

const complaintBy = (validate: ValidateFunction | undefined) => (body: unknown) => {
  if (!validate || validate(body)) return undefined
  return validate.errors?.map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`).join(', ')
}

import { STATUS_CODES } from 'node:http'
import { type FailureCode, failureStatus } from '@olmos/contract/failure-codes'
import { refusalDetails } from '@olmos/contract/refusal-details'
import { z } from 'zod'
import { details } from './openapi-examples.ts'
import type { JsonSchema, Schemas } from './openapi-schemas.ts'

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
export const toRefusal = (status: number, codes: readonly [FailureCode, ...FailureCode[]]) =>
  codes.length === 1 ? { $ref: `#/components/responses/${refusalName(codes[0])}` } : refusalResponse(status, codes)

/** Makes the components that the refusals of calls refer to. */
export const refusalComponents = (schemas: Schemas) => ({
  schemas: refusalSchemas(schemas),
  responses: Object.fromEntries(
    allCodes.map((code) => [refusalName(code), refusalResponse(failureStatus[code], [code])]),
  ),
  examples: Object.fromEntries(allCodes.map((code) => [code, { value: toRefusalExample(code) }])),
})

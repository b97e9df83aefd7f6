import { components } from '@olmos/contract/components'
import { z } from 'zod'

export type JsonSchema = { [keyword: string]: unknown }

const descriptions: Readonly<Record<string, string>> = {
  Money: 'An amount of money in major units (12.5 is 12.50), with at most two decimals; the currency stands beside it.',
  Amount: 'An amount of money in major units (12.5 is 12.50), not negative, with at most two decimals.',
}
for (const [id, schema] of Object.entries(components)) {
  const description = descriptions[id]
  z.globalRegistry.add(schema, { ...schema.meta(), id, ...(description && { description }) })
}

/** Clients may rely on the fields that exist, not on there being no others: answers get new fields. */
function openAnswers({ _zod: { def } }: z.core.$ZodTypes, schema: JsonSchema): void {
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties
}

/** Declares whole numbers as such, without the bounds that JSON has anyway. */
function tidyNumbers(schema: JsonSchema): void {
  if (schema.type === 'number' && Number.isInteger(schema.const)) schema.type = 'integer'
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}

/** Converts zod schemas to JSON Schema; schemas with a name become components and are referenced. */
export function createSchemas() {
  const definitions: Record<string, JsonSchema> = {}

  /** A shape that differs between request and answer gets two names. */
  const nameFor = (id: string, schema: JsonSchema, io: 'input' | 'output'): string => {
    const known = definitions[id]
    return known === undefined || JSON.stringify(known) === JSON.stringify(schema) || io === 'output'
      ? id
      : `${id}Input`
  }

  /** `input` is what is sent to the store, `output` what it answers. */
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (io === 'output') openAnswers(zodSchema, jsonSchema as JsonSchema)
        tidyNumbers(jsonSchema as JsonSchema)
      },
    }) as unknown as { properties: { it: JsonSchema }; $defs?: Record<string, JsonSchema> }
    const renamed = new Map<string, string>()
    for (const [id, definition] of Object.entries($defs)) {
      delete definition.id
      renamed.set(id, nameFor(id, referring(definition), io))
    }
    const rename = (part: JsonSchema) => referring(part, (id) => renamed.get(id) ?? id)
    for (const [id, definition] of Object.entries($defs)) definitions[renamed.get(id) ?? id] = rename(definition)
    return rename(properties.it)
  }

  return {
    definitions,
    toSchema,
    /** Parameters are text in an address; digits that are read as a number become an integer. */
    toParameter(schema: z.ZodType): JsonSchema {
      const sent = toSchema(schema, 'input')
      if (sent.type !== 'string' || sent.enum) return sent
      const { type, ...read } = toSchema(schema, 'output')
      return type === 'number' ? { ...read, type: 'integer' } : sent
    },
  }
}

const referring = (schema: JsonSchema, toName: (id: string) => string = (id) => id): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replaceAll(
      /"\$ref":"#\/\$defs\/(\w+)"/g,
      (_, id: string) => `"$ref":"#/components/schemas/${toName(id)}"`,
    ),
  )

export type Schemas = ReturnType<typeof createSchemas>

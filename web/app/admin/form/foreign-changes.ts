/** A field that somebody else changed while a form was open. */
export interface ForeignChange {
  /** A path such as `translations.en.name` for nested fields. */
  field: string
  value: unknown
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists the fields that differ; nested ones by their path, such as `translations.en.name`. */
export function foreignChanges(seen: Fields, current: Fields, place = ''): ForeignChange[] {
  return Object.entries(current)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(seen[name]))
    .flatMap(([name, value]) => {
      const field = `${place}${name}`
      const before = seen[name]
      return isFields(value) ? foreignChanges(isFields(before) ? before : {}, value, `${field}.`) : { field, value }
    })
}

const readField = (values: Fields, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), values)

/** A number that was typed is equal to its text: `100` to `100.00`. */
function isEqual(one: unknown, other: unknown): boolean {
  if (JSON.stringify(one) === JSON.stringify(other)) return true
  const isNumeric = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value))
  return isNumeric(one) && isNumeric(other) && Number(one) === Number(other)
}

/** Returns the values with another one in a field, at any depth. */
export function writeField<Values extends Fields>(values: Values, field: string, value: unknown): Values {
  const [name = '', ...rest] = field.split('.')
  const inner = values[name]
  return { ...values, [name]: rest.length > 0 && isFields(inner) ? writeField(inner, rest.join('.'), value) : value }
}

/**
 * Picks the changes of fields in which the operator typed nothing. Such a field follows the other change whichever edit wins:
 * sending what it showed before would undo a change that nobody meant to undo.
 */
export const untouchedChanges = (changes: readonly ForeignChange[], seen: Fields, typed: Fields): ForeignChange[] =>
  changes.filter(({ field }) => isEqual(readField(typed, field), readField(seen, field)))

/** Finds the needed fields that are not filled in: field -> key. */
export const missingFields = (
  values: Readonly<Record<string, unknown>>,
  needed: readonly string[] = Object.keys(values),
): Record<string, string> =>
  Object.fromEntries(needed.filter((field) => String(values[field]).trim() === '').map((field) => [field, 'required']))

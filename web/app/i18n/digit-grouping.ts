export const noBreakSpace = '\u00A0'

/**
 * Sets the thousands of whole digits apart. `Intl` would do it too, but a page that is being hydrated waits up to 30 ms for
 * the first of its formats, and every further one costs a little.
 */
export const groupThousands = (whole: string, separator = noBreakSpace): string =>
  whole.replace(/\B(?=(?:\d{3})+$)/g, separator)

/** Formats a number with its thousands set apart by a space that does not break, the same in every language: `2 000`. */
export function gameNumber(amount: number): string {
  const [whole = '', ...fraction] = String(Number(amount.toFixed(3))).split('.')
  return [groupThousands(whole), ...fraction].join('.')
}

/** Numbers that name something, and count nothing. */
const names = new Set(['id', 'batch', 'order', 'number'])

/** Groups the digits of a whole number that is filled into a text under a name, unless it names something. */
export const groupDigits = (name: string, value: unknown): unknown =>
  Number.isInteger(value) && !names.has(name) ? gameNumber(value as number) : value

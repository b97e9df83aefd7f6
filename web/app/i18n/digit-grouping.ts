/** Formats a number with its thousands set apart by a space that does not break, the same in every language: `2 000`. */
export const gameNumber = (amount: number): string => amount.toLocaleString('en-US').replaceAll(',', '\u00A0')

/** Numbers that name something, and count nothing. */
const names = new Set(['id', 'batch', 'order', 'number'])

/** Groups the digits of a whole number that is filled into a text under a name, unless it names something. */
export const groupDigits = (name: string, value: unknown): unknown =>
  Number.isInteger(value) && !names.has(name) ? gameNumber(value as number) : value

/**
 * A number as people write it, with the decimal separator of programs: `7,99`, `1 234,50` and `1.234,50` become `7.99`,
 * `1234.50` and `1234.50`. A separator that stands once is the decimal one, as it is where it is typed; of two kinds it
 * is the last. What is no number stays as it is.
 */
export function decimalText(text: string): string {
  const digits = text.replace(/[\s'\u2019]/g, '')
  const separators = [...digits.matchAll(/[.,]/g)]
  const last = separators.at(-1)
  if (!last) return digits
  const isRepeated = separators.filter(([separator]) => separator === last[0]).length > 1
  if (isRepeated && isGrouped(digits)) return digits.replace(/[.,]/g, '')
  const decimal = isRepeated ? (separators[0]?.index ?? 0) : last.index
  return `${digits.slice(0, decimal).replace(/[.,]/g, '')}.${digits.slice(decimal + 1).replace(/[.,]/g, '')}`
}

/** `1,234,567`: every separator stands before three digits. */
const isGrouped = (digits: string): boolean => /^\D*\d{1,3}(?:[.,]\d{3})+\D*$/.test(digits)

const numberLength = 19

export const onlyDigits = (typed: string): string => typed.replace(/\D/g, '')

/** Digits in groups of four. */
export const asCardNumber = (typed: string): string =>
  onlyDigits(typed)
    .slice(0, numberLength)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** Month and year with a slash between. */
export function asExpiry(typed: string): string {
  const digits = onlyDigits(typed).slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}

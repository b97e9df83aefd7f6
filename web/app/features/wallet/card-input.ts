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

export const cardTypes = ['Visa', 'Mastercard', 'MIR'] as const
export type CardType = (typeof cardTypes)[number]

/** Tells the type of a card by the digits it begins with; undefined while they could be any. */
export function readCardType(number: string): CardType | undefined {
  const digits = onlyDigits(number)
  const four = Number(digits.slice(0, 4))
  if (digits.startsWith('4')) return 'Visa'
  if (/^5[1-5]/.test(digits) || (four >= 2221 && four <= 2720)) return 'Mastercard'
  return four >= 2200 && four <= 2204 ? 'MIR' : undefined
}

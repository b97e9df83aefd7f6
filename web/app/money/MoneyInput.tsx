import { NumberInput, type NumberInputProps } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import { useEffect, useRef } from 'react'
import { decimalText } from './decimal-text.ts'

/** Where the sign of a currency stands in a field. */
const moneySign: Record<Currency, { prefix: string } | { suffix: string }> = {
  USD: { prefix: '$' },
  RUB: { suffix: ' ₽' },
}

/**
 * Zeros are never added while somebody types: `8` and `8,` would both read `8.00`, the caret would be put back before
 * the point on a slow device, and 8,75 would become 875. A field that shows cents starts from `toFixed(2)`.
 */
type DecimalInputProps = Omit<NumberInputProps, 'fixedDecimalScale'>

/** A field for an amount of money, with two decimals; its sign is left out where the currency is chosen beside it. */
export function MoneyInput({ currency, ...props }: DecimalInputProps & { currency?: Currency }) {
  return <DecimalInput {...(currency && moneySign[currency])} decimalScale={2} thousandSeparator=" " {...props} />
}

/**
 * A field for a number with decimals. A comma is a decimal separator, however it gets into the field: Mantine's own
 * takes it where it is typed or pasted, and drops it from what is put in at once by a keyboard of a phone, dictation or
 * the browser, so that 7,99 would become 799.
 */
export function DecimalInput(props: DecimalInputProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const input = field.current
    if (!input) return
    // On the field itself, so that React hears of it afterwards.
    input.addEventListener('input', takeComma)
    input.addEventListener('change', takeComma)
    return () => {
      input.removeEventListener('input', takeComma)
      input.removeEventListener('change', takeComma)
    }
  }, [])
  return <NumberInput allowNegative={false} hideControls inputMode="decimal" {...props} ref={field} />
}

const write = (input: HTMLInputElement, text: string) =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)

function takeComma(event: Event): void {
  const input = event.currentTarget as HTMLInputElement
  const { value, selectionEnd } = input
  // What takes something away puts nothing in; what does not say what it put in, as the browser's filling, put in all.
  if (event instanceof InputEvent && /^(?:delete|history)/.test(event.inputType)) return
  const put = (event instanceof InputEvent ? event.data : null) ?? value
  // One sign is typed: Mantine's own takes it.
  if (put.length < 2 || !put.includes(',')) return
  const end = put === value ? value.length : (selectionEnd ?? value.length)
  const start = end - put.length
  if (value.slice(start, end) !== put) return
  const number = decimalText(/[-\d.,\s'\u2019]*[\d.,]/.exec(put)?.[0] ?? '')
  write(input, value.slice(0, start) + number + value.slice(end))
  const caret = start + number.length
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}

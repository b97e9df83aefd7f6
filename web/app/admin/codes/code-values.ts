import type { codesApi, ListedCode } from '@olmos/contract/codes'
import type { SentBody } from '@olmos/contract/endpoint'
import { type BoughtValues, nothingBought, sentBought } from '../batches/bought-values.ts'

export interface CodeValues extends Record<string, unknown> {
  productId: string
  /** `0` is none. */
  regionId: string
  /** Blank when a code is edited, which leaves it as it is. */
  code: string
  /** The masked code the operator saw; a different one means that somebody replaced it. */
  mask: string
  /** An empty text while nothing is typed. */
  gameAmount: number | string
  priceUsd: number | string
  priceRub: number | string
  status: 'available' | 'archived'
  /** What a new code cost. */
  bought: BoughtValues
}

export const codeValues = (code: ListedCode | undefined): CodeValues => ({
  productId: code ? String(code.product_id) : '',
  regionId: String(code?.region_id ?? 0),
  code: '',
  mask: code?.code ?? '',
  gameAmount: code?.game_amount ?? '',
  priceUsd: code?.price_usd ?? '',
  priceRub: code?.price_rub ?? '',
  status: code?.status === 'archived' ? 'archived' : 'available',
  bought: nothingBought,
})

/** Numbers can't be sent while there are none; the store looks at the rest. */
export function codeErrors(values: CodeValues, code: ListedCode | undefined): Record<string, string> {
  const needed = ['productId', 'gameAmount', 'priceUsd', 'priceRub', ...(code ? [] : ['code'])]
  return Object.fromEntries(needed.filter((field) => values[field] === '').map((field) => [field, 'required']))
}

const sentFields = (values: CodeValues) => ({
  productId: Number(values.productId),
  regionId: Number(values.regionId),
  code: values.code,
  gameAmount: Number(values.gameAmount),
  priceUsd: Number(values.priceUsd),
  priceRub: Number(values.priceRub),
})

export function sentCode(values: CodeValues): SentBody<typeof codesApi.add> {
  const bought = sentBought(values.bought)
  return { ...sentFields(values), ...(bought && { bought }) }
}

const place = ['productId', 'regionId', 'gameAmount']
const prices = ['priceUsd', 'priceRub']

/** Sends only what was changed. A code that moves to another offer also sends the prices shown, which are meant for that offer. */
export function sentCodeChange(values: CodeValues, code: ListedCode): SentBody<typeof codesApi.change> {
  const before = codeValues(code)
  const { code: plain, ...fields } = sentFields(values)
  const isMoved = place.some((field) => values[field] !== before[field])
  const changed = Object.entries(fields).filter(
    ([field]) => values[field] !== before[field] || (isMoved && prices.includes(field)),
  )
  return {
    ...Object.fromEntries(changed),
    ...(plain.trim() !== '' && { code: plain }),
    ...(values.status !== before.status && { status: values.status }),
  }
}

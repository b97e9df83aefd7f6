import { type Decimal, one } from '../rates/rate.rules.ts'
import type { SupplierRequest } from './supplier.ts'

/** What the sandbox does with an order; what is not said here it delivers at once. */
export type Plan =
  | 'deliver'
  | 'reject'
  | 'reject-for-float'
  | 'reject-player'
  | 'refuse-code'
  /** Delivers, and the answer is lost. */
  | 'time-out-after'
  /** Delivers, and answers that it broke. */
  | 'break-after'
  /** The first time it does nothing and says nothing; sent again, it delivers. */
  | 'time-out-before'
  /** Never says what it did. */
  | 'silence'
  | 'deliver-late'

/** By the last four digits of the account. */
const plans: Readonly<Record<string, Plan>> = {
  '6001': 'reject',
  '6002': 'time-out-after',
  '6003': 'time-out-before',
  '6004': 'silence',
  '6005': 'deliver-late',
  '6006': 'reject-for-float',
  '6007': 'break-after',
}

/** What a unit costs there that is dearer than anybody pays, in USD. */
export const sandboxDear: Decimal = 1_000_000n * one

/** Free, but for whom and what ends with 6008: that has become dear. A code of the shop's own costs nothing. */
export const costFor = ({ account, item, code }: Pick<SupplierRequest, 'account' | 'item' | 'code'>): Decimal =>
  code === undefined && (account || (item ?? '')).endsWith('6008') ? sandboxDear : 0n

export const isNobody = (account: string): boolean => account.endsWith('404')
export const isSlowToCheck = (account: string): boolean => account.endsWith('5001')
export const playerNameOf = (playerId: string): string => `Player_${playerId.slice(-4)}`

/** Of codes that are spent on a player, those that end so are refused. */
const badCode = /0000$/

/** A code is for nobody: there the item says what happens. */
export function planFor({ account, item, code }: Pick<SupplierRequest, 'account' | 'item' | 'code'>): Plan {
  if (code !== undefined && badCode.test(code)) return 'refuse-code'
  if (isNobody(account)) return 'reject-player'
  return plans[(account || (item ?? '')).slice(-4)] ?? 'deliver'
}

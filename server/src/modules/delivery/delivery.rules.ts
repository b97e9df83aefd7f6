import { LIMITS } from '@olmos/contract/limits'
import type { ItemStatus, OrderStatus } from '@olmos/contract/orders'
import type { Besides, Outcome } from '../../platform/outcome.ts'
import type { Supplier, SupplierOrder, Wanted } from '../topups/supplier.ts'

/** What a supplier's answer makes of a delivery. */
export type Verdict =
  | { is: 'done' | 'pending'; supplierOrderId: string; codes: readonly string[] }
  | ({ is: 'rejected'; why: string } & Besides)
  | ({ is: 'unknown'; why: string } & Besides)
  /** It certainly never arrived: the same order may be sent again under its key. */
  | { is: 'not_found' }

export interface Asked {
  kind: 'submit' | 'look_up'
  /** Since the order was last sent. */
  ageSeconds: number
  settlesWithinSeconds: number
}

/** What is not said for certain is unknown; and a look-up too soon after sending has not seen anything for certain. */
export function judge(answer: Outcome<SupplierOrder>, { kind, ageSeconds, settlesWithinSeconds }: Asked): Verdict {
  const besides = answer.kind === 'done' ? {} : { facts: answer.facts, retryAfterSeconds: answer.retryAfterSeconds }
  if (answer.kind === 'unknown') return { is: 'unknown', why: answer.why, ...besides }
  if (answer.kind === 'done') {
    const { supplierOrderId, status, why = 'failed', codes = [] } = answer.value
    return status === 'failed' ? { is: 'rejected', why } : { is: status, supplierOrderId, codes }
  }
  if (kind === 'submit') return { is: 'rejected', why: answer.code, ...besides }
  if (answer.code !== 'not_found') return { is: 'unknown', why: answer.code, ...besides }
  return ageSeconds >= settlesWithinSeconds ? { is: 'not_found' } : { is: 'unknown', why: 'not_found_yet' }
}

/** The pause before the next look: longer every time. */
export const lookUpAfter = (lookUps: number): number =>
  Math.min(LIMITS.lookUpSeconds * 2 ** Math.min(lookUps, 30), LIMITS.lookUpSecondsMax)

/** An order at a supplier that came to nothing. */
export interface Tried {
  supplier: string
  isPool: boolean
  why: string | null
}

export interface Ways {
  wanted: Wanted
  suppliers: readonly Pick<Supplier, 'name' | 'sells' | 'redeemsCodes'>[]
  tried: readonly Tried[]
  /** Suppliers nothing new is sent to at the moment. */
  out: ReadonlySet<string>
  /** The offer's codes that are left to be spent on players. */
  hasPool: boolean
}

export type Route =
  | { to: 'pool' | 'supplier'; supplier: string }
  /** Whoever could do it is out at the moment. */
  | { to: 'wait' }
  /** Nobody is left who could. */
  | { to: 'nobody' }

/** Whom to ask next: the pool of codes, the suppliers in their order, then the operator; nobody twice. */
export function nextRoute({ wanted, suppliers, tried, out, hasPool }: Ways): Route {
  const sellers = suppliers.filter((supplier) => supplier.sells.includes(wanted))
  const left = sellers.filter(({ name }) => !tried.some((one) => one.supplier === name && !one.isPool))
  const ofPool = tried.filter((one) => one.isPool)
  // A code that is refused says nothing about the next; any other no is about the player, or the supplier.
  const isCodeBad = ({ why }: Tried) => why === codeRefused || why === codeRecalled
  const isPoolLeft = hasPool && ofPool.length < LIMITS.poolTries && ofPool.every(isCodeBad)
  const redeemers = isPoolLeft ? sellers.filter((supplier) => supplier.redeemsCodes) : []
  const machines = left.filter(({ name }) => name !== 'manual')

  const isIn = ({ name }: { name: string }) => !out.has(name)
  const redeemer = redeemers.find(isIn)
  if (redeemer) return { to: 'pool', supplier: redeemer.name }
  const machine = machines.find(isIn)
  if (machine) return { to: 'supplier', supplier: machine.name }
  if (machines.length > 0) return { to: 'wait' }
  const operator = left.find(({ name }) => name === 'manual')
  return operator ? { to: 'supplier', supplier: operator.name } : { to: 'nobody' }
}

/** How a supplier says that it is the code, and nothing else, that is no good. */
export const codeRefused = 'code_refused'

/** The code's batch was recalled before the supplier got it. */
export const codeRecalled = 'code_recalled'

/** How many units of an item are where. */
export interface Units {
  waiting: number
  unknown: number
  done: number
  rejected: number
}

export function itemStatusOf({ waiting, unknown, done }: Units): ItemStatus {
  if (unknown > 0) return 'unknown'
  if (waiting > 0) return 'pending'
  return done > 0 ? 'delivered' : 'refunded'
}

/** None while something is still on its way. */
export function orderStatusOf(
  items: readonly { status: ItemStatus; refunded_amount: number }[],
): OrderStatus | undefined {
  if (items.some(({ status }) => status !== 'delivered' && status !== 'refunded')) return undefined
  if (items.every(({ status }) => status === 'refunded')) return 'refunded'
  const isWhole = items.every((item) => item.status === 'delivered' && item.refunded_amount === 0)
  return isWhole ? 'completed' : 'partially_refunded'
}

import type { SeenLine } from '@olmos/contract/payments'
import type { OrderDetailItem } from './orders.queries.ts'

export const refundShares = ['whole', 'quantity', 'amount'] as const
type RefundShare = (typeof refundShares)[number]

/** What an operator wants to refund of one line, with numbers as their fields have them while somebody types. */
export interface LineChoice {
  share: RefundShare
  quantity: number | string
  amount: number | string
  /** Ids of the codes that come back; none: the store chooses. */
  codeIds: readonly string[]
}

export const wholeLine: LineChoice = { share: 'whole', quantity: 1, amount: '', codeIds: [] }

type Line = Pick<OrderDetailItem, 'id' | 'amount' | 'quantity' | 'left_amount' | 'left_quantity'>

/** Whether there is something to refund of a line: what was delivered for a code was paid for when the code was bought. */
export const isRefundable = ({ status, left_amount }: Pick<OrderDetailItem, 'status' | 'left_amount'>): boolean =>
  status === 'delivered' && left_amount > 0

const inMinor = (amount: number): number => Math.round(amount * 100)

/** What goes back for the line, in major units. */
export function toSum(line: Line, { share, quantity, amount }: LineChoice): number {
  if (share === 'whole') return line.left_amount
  if (share === 'amount') return Number(amount)
  return (Number(quantity) * (inMinor(line.amount) / line.quantity)) / 100
}

/** Returns whether the store can refund that: something, and no more than is left. */
export function isPossible(line: Line, choice: LineChoice): boolean {
  if (choice.share === 'whole') return true
  const sum = inMinor(toSum(line, choice))
  if (!(sum > 0 && sum <= inMinor(line.left_amount))) return false
  if (choice.share === 'amount') return true
  const quantity = Number(choice.quantity)
  const isNamed = choice.codeIds.length === 0 || choice.codeIds.length === quantity
  return Number.isInteger(quantity) && quantity <= line.left_quantity && isNamed
}

/** The line as the call that refunds it wants it. */
export function wantedLine(line: Line, choice: LineChoice) {
  if (choice.share === 'whole') return line.id
  if (choice.share === 'amount') return { id: line.id, amount: Number(choice.amount) }
  const codeIds = choice.codeIds.map(Number)
  return { id: line.id, quantity: Number(choice.quantity), ...(codeIds.length > 0 && { codeIds }) }
}

const isPart = (choice: LineChoice | undefined): boolean => choice !== undefined && choice.share !== 'whole'

type Choices = Readonly<Record<number, LineChoice | undefined>>

/**
 * The lines as they are shown: as they are now, but for those of which a part is wanted. These stay as they were seen when it
 * was, also when a colleague's refund is read meanwhile: what is sent was seen.
 */
export const shownLines = <Item extends Line>(now: readonly Item[], seen: readonly Item[], choices: Choices): Item[] =>
  now.map((line) => (isPart(choices[line.id]) && seen.find(({ id }) => id === line.id)) || line)

/** What was seen of lines of which a part is refunded: whoever refunds all of a line pays what is left, never more. */
export const seenLines = (chosen: readonly { item: Line; choice: LineChoice }[]) =>
  chosen
    .filter(({ choice }) => choice.share !== 'whole')
    .map(({ item: { id, left_amount, left_quantity } }) => ({ id, left_amount, left_quantity }))

/** The lines with what another one's refund has left of them. */
export const withLeft = <Item extends Line>(items: readonly Item[], left: readonly SeenLine[]): Item[] =>
  items.map((item) => ({ ...item, ...left.find(({ id }) => id === item.id) }))

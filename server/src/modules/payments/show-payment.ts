import type { ListedPayment } from '@olmos/contract/admin-payments'
import { Failure } from '@olmos/contract/failure'
import { toMajor } from '@olmos/contract/money'
import type { Queries } from '../../platform/database.ts'
import { findListedPayment, type ListedPaymentRow } from './admin-payments.store.ts'

export const shownPayment = (row: ListedPaymentRow): ListedPayment => ({
  ...row,
  amount: toMajor(row.amount),
  paid_amount: row.paid_amount === null ? null : toMajor(row.paid_amount),
  created_at: row.created_at.toISOString(),
  settled_at: row.settled_at?.toISOString() ?? null,
})

export async function readPayment(queries: Queries, paymentId: number): Promise<ListedPayment> {
  const row = await findListedPayment(queries, paymentId)
  if (!row) throw new Failure('NOT_FOUND')
  return shownPayment(row)
}

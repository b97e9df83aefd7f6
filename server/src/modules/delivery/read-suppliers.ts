import type { SupplierHealth } from '@olmos/contract/deliveries'
import { LIMITS } from '@olmos/contract/limits'
import { toMajor } from '@olmos/contract/money'
import { raiseAlert, resolveAlert } from '../../platform/alert.ts'
import type { Database } from '../../platform/database.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import type { DeliveryShop } from './delivery-shop.ts'
import { noteBalance, readHealth } from './supplier-health.store.ts'

const isLow = (balance: number): boolean => balance < LIMITS.supplierFloatLow

/** Asks every supplier what the shop has left there; little money calls the operator. */
export async function readBalances({ database, suppliers, log }: DeliveryShop): Promise<void> {
  for (const supplier of suppliers.configured) {
    const answer = await supplier.readBalance?.()
    if (!answer) continue
    if (answer.kind !== 'done') {
      log.warn({ supplier: supplier.name, answer }, 'balance not read')
      continue
    }
    const { amount, currency } = answer.value
    await noteBalance(database, supplier.name, answer.value)
    if (!isLow(amount)) await resolveAlert(database, 'supplier.float', supplier.name)
    else {
      const details = { amount, currency }
      await raiseAlert(database, { kind: 'supplier.float', subject: supplier.name, details, whenChanged: 'refresh' })
    }
  }
}

/** How the suppliers are, in the order in which they are asked. */
export async function readSuppliers(database: Database, suppliers: Suppliers): Promise<SupplierHealth[]> {
  const rows = await readHealth(database)
  return suppliers.configured.map(({ name, sells }) => {
    const row = rows.find(({ supplier }) => supplier === name)
    return {
      name,
      sells: [...sells],
      state: row?.is_out ? 'out' : 'in',
      out_until: row?.is_out ? (row.out_until?.toISOString() ?? null) : null,
      failures: row?.failures ?? 0,
      last_answer_at: row?.last_answer_at?.toISOString() ?? null,
      last_error: row?.last_error ?? null,
      last_error_at: row?.last_error_at?.toISOString() ?? null,
      balance: row?.balance === null || row === undefined ? null : toMajor(row.balance),
      balance_currency: row?.balance_currency ?? null,
      balance_at: row?.balance_at?.toISOString() ?? null,
      is_balance_low: row?.balance != null && isLow(row.balance),
    }
  })
}

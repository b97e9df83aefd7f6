import { topupServices } from '@olmos/contract/topup-data'
import { done } from '../../../platform/vendor/vendor.ts'
import type { Supplier, SupplierOrder } from '../supplier.ts'

/** The operator of the shop: whatever it is asked for waits in a queue until somebody has done it by hand. */
export function manual(): Supplier {
  const waiting = async ({ key }: { key: string }) => done<SupplierOrder>({ supplierOrderId: key, status: 'pending' })
  return {
    name: 'manual',
    sells: topupServices,
    redeemsCodes: false,
    needsItem: false,
    settlesWithinSeconds: 0,
    order: waiting,
    lookUp: waiting,
  }
}

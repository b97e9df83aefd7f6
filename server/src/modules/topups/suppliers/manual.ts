import { z } from 'zod'
import { done } from '../../../platform/vendor/vendor.ts'
import type { Supplier, SupplierAdapter, SupplierOrder } from '../supplier.ts'

const settings = z.object({})

/** The operator of the shop: whatever it is asked for waits in a queue until somebody has done it by hand. */
export const manual = { name: 'manual', settings, create: createManual } satisfies SupplierAdapter<typeof settings>

function createManual(): Supplier {
  const waiting = async ({ key }: { key: string }) => done<SupplierOrder>({ supplierOrderId: key, status: 'pending' })
  return {
    name: 'manual',
    sells: ['topup', 'amount'],
    redeemsCodes: false,
    needsItem: false,
    settlesWithinSeconds: 0,
    // An order is called by the shop's key, and nothing is bought by asking for it.
    remembers: 'own_reference',
    order: waiting,
    lookUp: waiting,
  }
}

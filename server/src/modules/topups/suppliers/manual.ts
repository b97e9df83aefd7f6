import { topupServices } from '@olmos/contract/topup-data'
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
    sells: topupServices,
    redeemsCodes: false,
    needsItem: false,
    settlesWithinSeconds: 0,
    order: waiting,
    lookUp: waiting,
  }
}

import { deliveriesApi } from '@olmos/contract/deliveries'
import type { Context } from '../../platform/context.ts'
import type { Suppliers } from '../topups/suppliers.ts'
import { receiveSupplierNotice } from './receive-supplier-notice.ts'

export function deliveryRoutes(context: Context, suppliers: Suppliers): void {
  const shop = { ...context, suppliers }

  context.serve.raw(deliveriesApi.webhook, ({ params, body, headers, address }) =>
    receiveSupplierNotice(shop, params.supplier, { body, headers, address, now: context.clock.now() }),
  )
}

import { deliveriesApi } from '@olmos/contract/deliveries'
import type { Context } from '../../platform/context.ts'
import { findFewUsers } from '../accounts/accounts.store.ts'
import { completeDelivery, listDeliveries, refundDelivery, retryDelivery } from './decide-delivery.ts'
import type { DeliveryShop } from './deliveries.ts'
import { receiveSupplierWebhook } from './run-deliveries.ts'
import { readSuppliers } from './supplier-health.ts'

export function deliveryRoutes(context: Context & DeliveryShop): void {
  const { serve, database, vault, suppliers } = context

  serve.raw(deliveriesApi.webhook, ({ params, body, headers, address }) =>
    receiveSupplierWebhook(context, params.supplier, { body, headers, address, now: context.clock.now() }),
  )

  serve(deliveriesApi.list, async ({ query }) => {
    const users = query.search ? await findFewUsers(database, query.search) : undefined
    return listDeliveries(database, { ...query, sort: query.sort ?? 'id', users })
  })

  serve(deliveriesApi.complete, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => completeDelivery(tx, vault, params.id, { ...body, adminId: user.id })),
  }))

  serve(deliveriesApi.retry, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => retryDelivery(tx, params.id, { ...body, adminId: user.id })),
  }))

  serve.once(deliveriesApi.refund, async ({ user, params, body }, tx) => ({
    data: await refundDelivery(tx, params.id, { ...body, adminId: user.id }),
  }))

  serve(deliveriesApi.suppliers, async () => ({ data: await readSuppliers(database, suppliers) }))
}

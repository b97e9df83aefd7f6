import { toMajor } from '@olmos/contract/money'
import { sandboxApi } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import { holdOrder } from '../orders/hold-order.ts'
import type { Providers } from '../payments/providers.ts'
import { expireOrder } from './expire-order.ts'
import { receiveNotice } from './receive-notice.ts'

/** The pay page of the sandbox; without the sandbox there are no such calls. Its notices take the way of all others. */
export function sandboxRoutes(context: Context, providers: Providers): void {
  const { sandbox } = providers
  if (!sandbox) return
  const { serve, database, clock } = context
  const shop = { ...context, providers }

  const shown = async (id: string) => {
    const { key, amount, expires_at, ...payment } = await sandbox.find(id)
    return { ...payment, amount: toMajor(amount), expires_at: expires_at.toISOString() }
  }

  serve(sandboxApi.read, ({ params }) => shown(params.id))

  serve(sandboxApi.act, async ({ params, body }) => {
    const payment = await sandbox.find(params.id)
    // Nobody wants to wait a quarter of an hour to see what a late payment does.
    if (body.action === 'pay_late' && payment.status === 'pending') await endTime(payment.order_id)
    const { notices } = await sandbox.act(params.id, body.action, clock.now())
    for (const notice of notices) await receiveNotice(shop, sandbox.name, notice)
    return shown(params.id)
  })

  const endTime = (orderId: string) =>
    database.transaction(async (tx) => {
      const order = await holdOrder(tx, orderId)
      if (order?.status === 'awaiting_payment') await expireOrder(tx, order)
    })
}

import { paymentsApi } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import type { Providers } from '../payments/providers.ts'
import { finishRefund, refundOrder } from './refund-order.ts'

export function checkoutAdmin(context: Context, providers: Providers): void {
  context.serve.inPhases(paymentsApi.refund, {
    start: ({ user, params, body }, tx) =>
      refundOrder(tx, providers, { ...body, orderId: params.id, adminId: user.id }),
    finish: async (_call, orderId) => ({ data: await finishRefund({ ...context, providers }, orderId) }),
  })
}

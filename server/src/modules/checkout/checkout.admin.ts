import { adminOrdersApi } from '@olmos/contract/admin-orders'
import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import { paymentsApi } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import type { Providers } from '../payments/providers.ts'
import { confirmPayment } from './confirm-payment.ts'
import { decideRefund } from './decide-refund.ts'
import { learnRefunds } from './receive-refund.ts'
import { finishRefund, refundOrder } from './refund-order.ts'
import { replaceCode } from './replace-code.ts'
import { setOrderStatus } from './set-order-status.ts'

export function checkoutAdmin(context: Context, providers: Providers): void {
  const { serve } = context
  const shop = { ...context, providers }

  serve.afterCheck(adminOrdersApi.setStatus, {
    check: ({ params }) => learnRefunds(shop, params.id),
    work: async ({ user, params, body }, tx) => ({
      data: await setOrderStatus(tx, providers, { ...body, orderId: params.id, adminId: user.id }),
    }),
  })

  serve.once(adminOrdersApi.replaceCode, async ({ user, params, body }, tx) => ({
    data: await replaceCode(tx, { ...body, orderId: params.id, codeId: params.codeId, adminId: user.id }),
  }))

  serve.once(adminPaymentsApi.confirm, async ({ user, params, body }, tx) => ({
    data: await confirmPayment(tx, {
      paymentId: params.id,
      reason: body.reason,
      reference: body.reference,
      adminId: user.id,
    }),
  }))

  serve.once(adminPaymentsApi.decideRefund, async ({ user, params, body }, tx) => ({
    data: await decideRefund(tx, { ...body, refundId: params.id, adminId: user.id }),
  }))

  serve.inPhases(paymentsApi.refund, {
    check: ({ params }) => learnRefunds(shop, params.id),
    start: ({ user, params, body }, tx) =>
      refundOrder(tx, providers, { ...body, orderId: params.id, adminId: user.id }),
    finish: async (_call, orderId) => ({ data: await finishRefund(shop, orderId) }),
  })
}

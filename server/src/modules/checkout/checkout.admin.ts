import { adminOrdersApi } from '@olmos/contract/admin-orders'
import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import { disputesApi } from '@olmos/contract/disputes'
import { fillingsApi } from '@olmos/contract/fillings'
import { toMinor } from '@olmos/contract/minor-units'
import { paymentsApi } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { confirmPayment } from './confirm-payment.ts'
import { gatherEvidence } from './dispute-evidence.ts'
import { decideDispute, openDispute, releaseDispute } from './disputes.ts'
import { learnRefunds } from './receive-webhook.ts'
import { finishFillingRefund, refundFilling } from './refund-filling.ts'
import { decideRefund, finishRefund, refundOrder } from './refund-order.ts'
import { replaceCode } from './replace-code.ts'
import { setOrderStatus } from './set-order-status.ts'

export function checkoutAdmin(context: Context & PaymentShop): void {
  const { serve, providers } = context

  serve.afterCheck(adminOrdersApi.setStatus, {
    check: ({ params }) => learnRefunds(context, params.id),
    work: async ({ user, params, body }, tx, askedPayments) => ({
      data: await setOrderStatus(tx, providers, { ...body, orderId: params.id, adminId: user.id, askedPayments }),
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
    check: ({ params }) => learnRefunds(context, params.id),
    start: ({ user, params, body }, tx, askedPayments) =>
      refundOrder(tx, providers, { ...body, orderId: params.id, adminId: user.id, askedPayments }),
    finish: async (_call, orderId) => ({ data: await finishRefund(context, orderId) }),
  })

  serve.inPhases(fillingsApi.refund, {
    check: ({ params }) => learnRefunds(context, params.id),
    start: ({ user, params, body: { amount, reason } }, tx, askedPayments) =>
      refundFilling(tx, providers, {
        orderId: params.id,
        amount: amount === undefined ? undefined : toMinor(amount),
        reason,
        askedPayments,
        adminId: user.id,
      }),
    finish: async (_call, orderId) => ({ data: await finishFillingRefund(context, orderId) }),
  })
}

export function disputesAdmin(context: Context & Pick<PaymentShop, 'providers'>): void {
  const { serve, clock } = context
  serve.once(disputesApi.open, async ({ user, params, body }, tx) => ({
    data: await openDispute(tx, { ...body, orderId: params.id, adminId: user.id, now: clock.now() }),
  }))

  serve.once(disputesApi.decide, async ({ user, params, body }, tx) => ({
    data: await decideDispute(tx, { ...body, id: params.id, adminId: user.id, now: clock.now() }),
  }))

  serve.once(disputesApi.release, async ({ user, params, body }, tx) => ({
    data: await releaseDispute(tx, { ...body, id: params.id, adminId: user.id }),
  }))

  serve.once(disputesApi.evidence, async ({ user, params, language }, tx) => ({
    data: await gatherEvidence(tx, context, { disputeId: params.id, adminId: user.id, language, now: clock.now() }),
  }))
}

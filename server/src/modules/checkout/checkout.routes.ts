import { checkoutApi } from '@olmos/contract/checkout'
import { toMinor } from '@olmos/contract/money'
import { paymentsApi } from '@olmos/contract/payments'
import type { Context } from '../../platform/context.ts'
import type { Providers } from '../payments/providers.ts'
import { payPageOf } from './open-card-payment.ts'
import { payFromBalance } from './pay-from-balance.ts'
import { receiveNotice } from './receive-notice.ts'
import { startCardPayment } from './start-card-payment.ts'

export function checkoutRoutes(context: Context, providers: Providers): void {
  const { serve, clock } = context
  const shop = { ...context, providers }

  serve.once(checkoutApi.payFromBalance, async ({ user, body }, tx) => ({
    success: true as const,
    order: await payFromBalance(tx, user.id, body.currency),
  }))

  serve.inPhases(paymentsApi.create, {
    start: ({ user, body: { amount, currency } }, tx) =>
      startCardPayment(tx, providers, { userId: user.id, amount: toMinor(amount), currency }),
    finish: (_call, orderId) => payPageOf(shop, orderId),
  })

  serve.raw(paymentsApi.webhook, ({ params, body, headers, address }) =>
    receiveNotice(shop, params.provider, { body, headers, address, now: clock.now() }),
  )
}

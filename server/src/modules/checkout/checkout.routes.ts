import { checkoutApi } from '@olmos/contract/checkout'
import { toMinor } from '@olmos/contract/money'
import { paymentsApi } from '@olmos/contract/payments'
import { topupsApi } from '@olmos/contract/topups'
import type { Context } from '../../platform/context.ts'
import { requireRefillableCart } from '../cart/hold-cart.ts'
import type { Providers } from '../payments/providers.ts'
import { findPlayer } from '../topups/find-player.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { buyTopup } from './buy-topup.ts'
import { payPageOf } from './open-card-payment.ts'
import { payFromBalance } from './pay-from-balance.ts'
import { receiveNotice } from './receive-notice.ts'
import { startCardPayment } from './start-card-payment.ts'
import { startTopupPayment } from './start-topup-payment.ts'

export function checkoutRoutes(context: Context, providers: Providers, players: PlayerCheck): void {
  const { serve, clock, database } = context
  const shop = { ...context, providers }

  serve.afterCheck(checkoutApi.payFromBalance, {
    check: ({ user, address }) => requireRefillableCart(database, players, { userId: user.id, address }),
    work: async ({ user, body: { currency, amount, confirmRepeat } }, tx) => ({
      success: true as const,
      order: await payFromBalance(tx, {
        userId: user.id,
        currency,
        amount: amount === undefined ? undefined : toMinor(amount),
        confirmRepeat,
      }),
    }),
  })

  serve.afterCheck(topupsApi.order, {
    check: ({ body, address }) => findPlayer(players, body.topupData, address),
    work: async ({ user, body: { topupData: topup, ...body } }, tx, playerName) => ({
      success: true as const,
      order: await buyTopup(tx, { userId: user.id, topup, playerName, ...body }),
    }),
  })

  serve.inPhases(paymentsApi.create, {
    check: async ({ user, body: { topupData }, address }) => {
      if (topupData) return findPlayer(players, topupData, address)
      await requireRefillableCart(database, players, { userId: user.id, address })
      return null
    },
    start: ({ user, body: { topupData: topup, confirmRepeat, amount, currency } }, tx, playerName) => {
      const wanted = { userId: user.id, amount: toMinor(amount), currency, confirmRepeat }
      return topup
        ? startTopupPayment(tx, providers, { ...wanted, topup, playerName })
        : startCardPayment(tx, providers, wanted)
    },
    finish: (_call, orderId) => payPageOf(shop, orderId),
  })

  serve.raw(paymentsApi.webhook, ({ params, body, headers, address }) =>
    receiveNotice(shop, params.provider, { body, headers, address, now: clock.now() }),
  )
}

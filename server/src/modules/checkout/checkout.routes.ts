import { adminOrdersApi } from '@olmos/contract/admin-orders'
import { adminPaymentsApi } from '@olmos/contract/admin-payments'
import { checkoutApi } from '@olmos/contract/checkout'
import { couponsApi } from '@olmos/contract/coupons'
import { disputesApi } from '@olmos/contract/disputes'
import { Failure } from '@olmos/contract/failure'
import { fillingsApi } from '@olmos/contract/fillings'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { priceIn } from '@olmos/contract/money'
import { paymentsApi, sandboxApi } from '@olmos/contract/payments'
import { topupsApi } from '@olmos/contract/topups'
import type { Context } from '../../platform/context.ts'
import type { Webhook } from '../../platform/vendor/adapters.ts'
import { lockCart, requireKnownAccounts } from '../cart/cart.ts'
import { lookAtCode } from '../codes/spend-codes.ts'
import { applyCoupon, type CouponLine, createCouponGuard } from '../coupons/coupons.ts'
import { countFillings, listFillings } from '../orders/fillings.ts'
import { lockOrder, readOrderStatus } from '../orders/order-states.ts'
import { listOffered } from '../payments/methods.ts'
import type { PaymentShop } from '../payments/open-payment.ts'
import { providerNamed } from '../payments/providers.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { checkTopup, priceTopup } from '../topups/price-topup.ts'
import { findTopupProduct, readAccount } from '../topups/topups.ts'
import { decideRefund, replaceCode, setOrderStatus } from './change-order.ts'
import { gatherEvidence } from './dispute-evidence.ts'
import { decideDispute, openDispute, releaseDispute } from './disputes.ts'
import { expireOrder } from './expire-order.ts'
import { finishFillingRefund, refundFilling, startFilling } from './fill-balance.ts'
import { activateCode, buyNow, buyTopup, couponGuess, payFromBalance } from './pay-from-balance.ts'
import { learnRefunds, receiveWebhook } from './receive-webhook.ts'
import { finishRefund, refundOrder } from './refund-order.ts'
import { confirmPayment } from './settle-payment.ts'
import { findPayPage, startCardPayment, startTopupPayment } from './start-card-payment.ts'

export function checkoutRoutes(context: Context & PaymentShop, players: PlayerCheck): void {
  const { serve, clock, database, providers } = context
  const guardCoupons = createCouponGuard(context)
  const requireNoGuess = async (user: { id: number }, address: string, code: string | undefined) => {
    if (code !== undefined) await guardCoupons({ userId: user.id, address, code })
  }

  serve(couponsApi.check, async ({ user, address, body: { coupon: code, currency, topupData } }) => {
    await requireNoGuess(user, address, code)
    const topup = topupData && (await checkTopup(database, players, topupData, address))
    const { coupon, lines } = await database.transaction(async (tx) => {
      const lines: readonly CouponLine[] = topup ? await priceTopup(tx, topup) : (await lockCart(tx, user.id)).lines
      if (lines.length === 0) throw new Failure('CART_EMPTY')
      return applyCoupon(tx, code, { lines, userId: user.id, currency, isAsking: true })
    })
    const before = lines.reduce((sum, line) => sum + priceIn(line, currency) * line.quantity, 0)
    const { discount, isCut: is_cut } = coupon
    return { data: { code: coupon.code, discount: toMajor(discount), total: toMajor(before - discount), is_cut } }
  })

  serve.once(
    checkoutApi.payFromBalance,
    async ({ user, body: { currency, amount, confirmRepeat, coupon } }, tx, checked) => ({
      success: true as const,
      order: await payFromBalance(tx, {
        userId: user.id,
        currency,
        amount: amount === undefined ? undefined : toMinor(amount),
        coupon,
        confirmRepeat,
        checked,
      }),
    }),
    {
      async check({ user, address, body }, names) {
        if (names.includes(couponGuess)) await requireNoGuess(user, address, body.coupon)
        if (names.some((name) => name !== couponGuess))
          await requireKnownAccounts(database, players, { userId: user.id, address })
      },
      expectsNew: true,
    },
  )

  serve.once(
    checkoutApi.buyNow,
    async ({ user, body: { amount, ...wanted } }, tx) => ({
      success: true as const,
      order: await buyNow(tx, { ...wanted, userId: user.id, amount: toMinor(amount) }),
    }),
    { expectsNew: true },
  )

  serve.afterCheck(topupsApi.order, {
    check: async ({ user, body, address }) => {
      await requireNoGuess(user, address, body.coupon)
      return checkTopup(database, players, body.topupData, address)
    },
    work: async ({ user, body: { currency, confirmRepeat, coupon, amount } }, tx, topup) => ({
      success: true as const,
      order: await buyTopup(tx, {
        userId: user.id,
        topup,
        currency,
        confirmRepeat,
        coupon,
        amount: amount === undefined ? undefined : toMinor(amount),
      }),
    }),
  })

  serve(paymentsApi.methods, async ({ language, query: { currency, amount } }) => ({
    data: await listOffered(database, providers, {
      language,
      currency,
      amount: amount === undefined ? undefined : toMinor(amount),
    }),
  }))

  serve.inPhases(paymentsApi.create, {
    check: async ({ user, body: { type, topupData, coupon }, address }) => {
      await requireNoGuess(user, address, coupon)
      if (type === 'balance') return null
      if (topupData) return checkTopup(database, players, topupData, address)
      await requireKnownAccounts(database, players, { userId: user.id, address })
      return null
    },
    start: ({ user, language, body: { type, amount, from_balance, fee, ...body } }, tx, topup) => {
      const { currency, method, contact, confirmRepeat, coupon } = body
      const wanted = {
        userId: user.id,
        amount: toMinor(amount),
        fromBalance: toMinor(from_balance ?? 0),
        fee: toMinor(fee ?? 0),
        currency,
        method,
        coupon,
        contact,
        language,
        confirmRepeat,
      }
      if (type === 'balance') return startFilling(tx, providers, wanted)
      return topup ? startTopupPayment(tx, providers, { ...wanted, topup }) : startCardPayment(tx, providers, wanted)
    },
    finish: (_call, orderId) => findPayPage(context, orderId),
    startsAgain: true,
    // A press whose answer was lost may come again long after: the pay page of an order that is over sells nothing.
    isOver: async ({ order_id: id }) => (await readOrderStatus(database, id)) === 'expired',
  })

  serve(fillingsApi.list, async ({ user, query }) => {
    const [rows, total] = await Promise.all([listFillings(database, user.id, query), countFillings(database, user.id)])
    const data = rows.map(({ total: amount, created_at, ...filling }) => ({
      ...filling,
      amount: toMajor(amount),
      created_at: created_at.toISOString(),
    }))
    return { data, total }
  })

  type Call = Omit<Webhook, 'now'> & { params: { provider: string; method?: string } }
  const receive = ({ params, ...call }: Call) => receiveWebhook(context, params, { ...call, now: clock.now() })
  // A provider that asks is told in its own words even that it said too much.
  const receiveTooLong = (call: Call) =>
    providerNamed(providers, call.params.provider)?.answer ? receive(call) : undefined
  serve.raw(paymentsApi.webhook, receive, receiveTooLong)
  serve.raw(paymentsApi.webhookMethod, receive, receiveTooLong)
}

/** Registers the sandbox's pay page, if the sandbox is configured. Its webhooks use the same route as all others. */
export function sandboxRoutes(context: Context & PaymentShop): void {
  const { serve, database, clock, providers } = context
  const { sandbox } = providers
  if (!sandbox) return

  const shown = async (id: string) => {
    const { key, amount, expires_at, ...payment } = await sandbox.find(id)
    return { ...payment, amount: toMajor(amount), expires_at: expires_at.toISOString() }
  }

  serve(sandboxApi.read, ({ params }) => shown(params.id))

  serve(sandboxApi.act, async ({ params, body }) => {
    const payment = await sandbox.find(params.id)
    // Ends the order at once: nobody wants to wait a quarter of an hour to see what a late payment does.
    if (body.action === 'pay_late' && payment.status === 'pending') await endTime(payment.order_id)
    const { webhooks } = await sandbox.act(params.id, body.action, clock.now())
    for (const webhook of webhooks) await receiveWebhook(context, { provider: sandbox.name }, webhook)
    return shown(params.id)
  })

  const endTime = (orderId: string) =>
    database.transaction(async (tx) => {
      const order = await lockOrder(tx, orderId)
      if (order?.status === 'awaiting_payment') await expireOrder(tx, order)
    })
}

export function activationRoutes({ serve, database, vault, rateLimiter }: Context, players: PlayerCheck): void {
  const ofUser = rateLimiter('activationsPerUser')
  const ofAddress = rateLimiter('activationsPerAddress')

  serve.afterCheck(topupsApi.activateCode, {
    // The code is checked before the player, so that guessing codes costs no calls to a supplier.
    check: async ({ user, body, address }) => {
      await ofAddress.count(address)
      await ofUser.count(String(user.id))
      await lookAtCode(database, vault, body.code, user.id)
      // Somebody who has a code is not guessing, and may have many. Only this try is released: the wrong ones before it
      // stay counted, or one unspent code would pay for any number of guesses.
      await ofUser.releaseTry(String(user.id))
      const product = await findTopupProduct(database, 'freefire')
      if (!product) throw new Failure('PLAYER_NOT_FOUND')
      const account = readAccount(product.fields, { player_id: body.playerID })
      return (await players.check(product, account, address)) ?? account.text
    },
    work: async ({ user, body: { playerID: playerId, code } }, tx, playerName) => {
      const order = await activateCode(tx, vault, { userId: user.id, code, playerId, playerName })
      return { success: true as const, order_id: order }
    },
  })
}

export function checkoutAdmin(context: Context & PaymentShop): void {
  const { serve, providers } = context

  serve.afterCheck(adminOrdersApi.setStatus, {
    async check({ user, params, body }) {
      if (body.status !== 'completed') return learnRefunds(context, params.id)
      if (!user.permissions.has('orders.write')) throw new Failure('FORBIDDEN', { permission: 'orders.write' })
      return 0
    },
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
    start: ({ user, params, body: { amount, ...body } }, tx, askedPayments) =>
      refundFilling(tx, providers, {
        ...body,
        orderId: params.id,
        amount: amount === undefined ? undefined : toMinor(amount),
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

import { type AccessLine, adminOnly, confirmedOnly } from './access-lines.ts'
import type { World } from './world.ts'

const list = { search: 'a', page: 1, pageSize: 10, order: 'asc' }
const texts = { name: 'Renamed', description: 'A text', activationInstructions: 'Another' }

const limits = { rub_once: 500, rub_daily: 2_000, usd_once: 5, usd_daily: 20 }

/** A png of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const rule = {
  margin_percent: 10,
  least_usd: 0.1,
  least_rub: 5,
  payment_percent: 3,
  rounding_usd: 'hundredth',
  rounding_rub: 'whole',
}

const decideDelivery = ({ deliveryId }: World) => ({
  params: { id: deliveryId },
  body: { reason: 'a test', reference: 'R1' },
})

/** The calls of admins. */
export const adminAccess: Readonly<Record<string, AccessLine>> = {
  'GET /auth/second-factor': adminOnly(200),
  // The admin has one already.
  'POST /auth/second-factor/enrol': adminOnly(409, ({ password }) => ({ body: { password } })),
  'POST /auth/second-factor/confirm': adminOnly(409, ({ app }) => ({ body: { otp: app.code() } })),
  'POST /auth/second-factor/confirm-again': adminOnly(200, ({ app }) => ({ body: { otp: app.code() } })),
  'POST /auth/second-factor/recovery-codes': adminOnly(200, ({ app }) => ({ body: { otp: app.code() } })),
  'POST /auth/second-factor/disable': adminOnly(204, ({ app }) => ({ body: { otp: app.code() } })),

  'GET /admin/summary': adminOnly(200, () => ({ query: { from: '2026-01-01', to: '2026-01-31' } })),
  'GET /admin/service': adminOnly(200, () => ({ query: { from: '2026-01-01', to: '2026-01-31' } })),
  'GET /admin/profit': adminOnly(200, () => ({ query: { from: '2026-01-01', to: '2026-01-31' } })),
  'POST /admin/exports': confirmedOnly(200, () => ({
    body: { what: 'orders', format: 'csv', filters: { currency: 'USD' } },
  })),
  'GET /admin/audit': adminOnly(200, () => ({
    query: { ...list, action: 'user', subject: 'user:1', actorId: 1, from: '2026-01-01T00:00:00Z' },
  })),
  'GET /admin/ledger/proof': adminOnly(200),
  'POST /admin/ledger/proof': adminOnly(200, () => ({ body: {} })),
  'GET /admin/reconciliation': adminOnly(200, () => ({ query: { from: '2026-01-01', to: '2026-01-31' } })),
  'GET /admin/reconciliation/:day': adminOnly(200, () => ({ params: { day: '2026-01-31' } })),
  'POST /admin/reconciliation/:day': adminOnly(200, () => ({ params: { day: '2026-01-31' }, body: {} })),

  'GET /admin/users': adminOnly(200, () => ({
    query: { ...list, sort: 'nickname', role: 'customer', blocked: 'false' },
  })),
  'GET /admin/users/:id': adminOnly(200, ({ owner }) => ({ params: { id: owner.id } })),
  'GET /admin/users/:id/orders': adminOnly(200, ({ owner }) => ({
    params: { id: owner.id },
    query: { ...list, sort: 'total_amount', status: 'completed' },
  })),
  'GET /admin/users/:id/ledger': adminOnly(200, ({ owner }) => ({ params: { id: owner.id } })),
  'PUT /admin/users/:id/balance': confirmedOnly(200, ({ owner }) => ({
    params: { id: owner.id },
    body: { balanceUsd: 12.5, balanceRub: 1_000, reason: 'a gift' },
  })),
  'PUT /admin/users/:id/password': confirmedOnly(200, ({ owner }) => ({
    params: { id: owner.id },
    body: { password: 'secret-7' },
  })),
  'PUT /admin/users/:id/role': confirmedOnly(200, ({ demoted }) => ({
    params: { id: demoted.id },
    body: { role: 'admin' },
  })),
  'PUT /admin/users/:id/blocked': confirmedOnly(200, ({ owner }) => ({
    params: { id: owner.id },
    body: { blocked: true },
  })),
  'GET /admin/approvals/:id': adminOnly(200, ({ approvalId }) => ({ params: { id: approvalId } })),
  'POST /admin/approvals/:id/decide': confirmedOnly(200, ({ approvalId }) => ({
    params: { id: approvalId },
    body: { decision: 'no' },
  })),
  'POST /admin/approvals/:id/withdraw': adminOnly(200, ({ ownApprovalId }) => ({ params: { id: ownApprovalId } })),
  'GET /admin/staff': adminOnly(200, ({ roleId }) => ({ query: { ...list, sort: 'last_seen_at', roleId } })),
  'POST /admin/staff': confirmedOnly(201, ({ demoted, roleId }) => ({
    body: { nickname: demoted.nickname, role_id: roleId },
  })),
  'PUT /admin/staff/:id/role': confirmedOnly(200, ({ careless, roleId }) => ({
    params: { id: careless.id },
    body: { role_id: roleId },
  })),
  'GET /admin/staff/:id/sessions': adminOnly(200, ({ careless }) => ({ params: { id: careless.id } })),
  'POST /admin/staff/:id/sessions/end': confirmedOnly(204, ({ careless }) => ({
    params: { id: careless.id },
    body: {},
  })),
  'POST /admin/staff/:id/second-factor/reset': {
    // An owner who resets another's has one.
    expected: { ...confirmedOnly(204).expected, factorless: 403 },
    sample: ({ careless }) => ({ params: { id: careless.id }, body: {} }),
  },
  'GET /admin/staff-roles': adminOnly(200),
  'POST /admin/staff-roles': confirmedOnly(201, ({ fresh }) => ({
    body: { name: fresh(), permissions: ['orders.read'], limits },
  })),
  'PUT /admin/staff-roles/:id': confirmedOnly(200, ({ roleId }) => ({
    params: { id: roleId },
    body: { permissions: ['orders.read', 'orders.write'] },
  })),
  'GET /admin/staff-roles/:id/versions': adminOnly(200, ({ roleId }) => ({ params: { id: roleId } })),
  'GET /admin/staff-roles/removed': adminOnly(200),
  'POST /admin/staff-roles/:id/restore': confirmedOnly(404, ({ roleId }) => ({
    params: { id: roleId },
    body: { restored: 4_711 },
  })),
  'DELETE /admin/staff-roles/:id': confirmedOnly(204, ({ roleId }) => ({ params: { id: roleId } })),
  'POST /balance/topup': confirmedOnly(200, () => ({ body: { currency: 'usd', amount: 5 } })),

  'GET /admin/order-views': adminOnly(200),
  'POST /admin/order-views': adminOnly(201, ({ fresh }) => ({
    body: { name: fresh(), filters: { status: 'pending' }, is_shared: true },
  })),
  'PUT /admin/order-views/:id': adminOnly(200, ({ orderViewId, fresh }) => ({
    params: { id: orderViewId },
    body: { name: fresh() },
  })),
  'DELETE /admin/order-views/:id': adminOnly(200, ({ orderViewId }) => ({ params: { id: orderViewId } })),
  'GET /admin/orders': adminOnly(200, () => ({
    query: {
      ...list,
      sort: 'created_at',
      payment_method: 'balance',
      dispute: 'open',
      currency: 'USD',
      from: '2026-01-01',
      to: '2026-01-31',
      amount_from: '1',
      amount_to: '12.50',
      productId: 1,
      supplier: 'sandbox',
      account: '5123456789',
      payment: '17',
      nickname: 'a',
      email: 'a@example.com',
      code: 1,
    },
  })),
  'POST /admin/orders/code': adminOnly(200, ({ offer }) => ({ body: { code: offer.codes[0] } })),
  'GET /admin/orders/:id': adminOnly(200, ({ orderId }) => ({ params: { id: orderId } })),
  'PUT /admin/orders/:id/status': confirmedOnly(200, ({ orderId }) => ({
    params: { id: orderId },
    body: { status: 'refunded', reason: 'did not work' },
  })),
  'POST /admin/orders/:id/codes/:codeId/replace': confirmedOnly(200, ({ orderId, soldCodeId }) => ({
    params: { id: orderId, codeId: soldCodeId },
    body: { reason: 'did not work' },
  })),
  'POST /admin/orders/:id/dispute': confirmedOnly(201, ({ disputedOrderId, fresh }) => ({
    params: { id: disputedOrderId },
    body: {
      reason: 'a letter of the bank',
      reference: fresh(),
      amount: 0.5,
      status: 'open',
      due_by: '2026-12-24T00:00:00Z',
    },
  })),
  'POST /admin/disputes/:id/decide': confirmedOnly(200, ({ disputeId }) => ({
    params: { id: disputeId },
    body: { status: 'lost', reason: 'the bank decided' },
  })),
  'POST /admin/disputes/:id/release': confirmedOnly(200, ({ disputeId }) => ({
    params: { id: disputeId },
    body: { reason: 'a friend' },
  })),
  'POST /admin/disputes/:id/evidence': confirmedOnly(200, ({ disputeId }) => ({ params: { id: disputeId }, body: {} })),
  'GET /admin/payments': adminOnly(200, () => ({
    query: { ...list, sort: 'amount', status: 'open', provider: 'sandbox', dispute: 'won' },
  })),
  'GET /admin/payment-providers': adminOnly(200),
  'PUT /admin/payment-providers/:provider': confirmedOnly(200, () => ({
    params: { provider: 'yookassa' },
    body: { settings: { YOOKASSA_SHOP_ID: '123', YOOKASSA_SECRET_KEY: 'test_secret' } },
  })),
  'POST /admin/payment-providers/:provider/try': confirmedOnly(200, () => ({
    params: { provider: 'sandbox' },
    body: { settings: {} },
  })),
  'GET /admin/payment-methods': adminOnly(200),
  'PUT /admin/payment-methods/:method': confirmedOnly(200, ({ fresh }) => ({
    params: { method: 'sandbox' },
    body: { titles: { en: fresh() } },
  })),
  'GET /admin/payment-methods/:method/versions': adminOnly(200, () => ({ params: { method: 'sandbox' } })),
  // There is no such version.
  'GET /admin/payment-methods/versions': adminOnly(200),
  'POST /admin/payment-methods/restore': confirmedOnly(404, () => ({ body: { restored: 4_711 } })),
  'POST /admin/payment-methods/:method/restore': confirmedOnly(404, () => ({
    params: { method: 'sandbox' },
    body: { restored: 4_711 },
  })),
  'POST /admin/payment-methods/order': confirmedOnly(200, ({ methodNames }) => ({ body: { names: methodNames } })),
  'POST /admin/payments/:id/confirm': confirmedOnly(200, ({ paymentId }) => ({
    params: { id: paymentId },
    body: { reason: 'seen at the bank', reference: 'bank-17' },
  })),
  // No refund is stuck.
  'POST /admin/card-refunds/:id/decide': confirmedOnly(404, () => ({
    params: { id: 4_711 },
    body: { decision: 'paid', reason: 'seen at the bank', reference: 'bank-17' },
  })),
  'POST /admin/orders/:id/refund': confirmedOnly(200, ({ orderId }) => ({
    params: { id: orderId },
    body: { to: 'wallet', reason: 'did not work' },
  })),

  'GET /admin/products': adminOnly(200, () => ({ query: { ...list, sort: 'name', kind: 'code' } })),
  'GET /admin/products/:id': adminOnly(200, ({ offer }) => ({ params: { id: offer.productId } })),
  'POST /admin/products': confirmedOnly(201, ({ fresh }) => ({
    body: {
      ...texts,
      kind: 'code',
      slug: fresh(),
      translations: { en: texts },
      imageUrl: 'https://example.com/a.png',
      keywords: ['word'],
      category: ['games'],
      gameCurrency: 'gems',
      supportsCodeGeneration: false,
      codePrefix: 'AB',
      isActive: true,
      position: 3,
    },
  })),
  'POST /admin/products/:id/copy': confirmedOnly(201, ({ offer }) => ({ params: { id: offer.productId }, body: {} })),
  'POST /admin/products/order': confirmedOnly(200, ({ offer, nextProductId }) => ({
    body: { ids: [nextProductId, offer.productId] },
  })),
  'PUT /admin/products/:id': confirmedOnly(200, ({ offer }) => ({ params: { id: offer.productId }, body: texts })),
  'DELETE /admin/products/:id': confirmedOnly(200, ({ offer }) => ({ params: { id: offer.productId } })),
  'PUT /admin/products/:id/regions': confirmedOnly(200, ({ offer, emptyRegionId }) => ({
    params: { id: offer.productId },
    body: { regionIds: [offer.regionId, emptyRegionId] },
  })),
  'PUT /admin/products/:id/regions/:regionId/currency': confirmedOnly(200, ({ offer }) => ({
    params: { id: offer.productId, regionId: offer.regionId },
    body: { gameCurrency: 'lira' },
  })),
  'GET /admin/products/:id/fields': adminOnly(200, ({ topupId }) => ({ params: { id: topupId } })),
  'PUT /admin/products/:id/fields': confirmedOnly(200, ({ topupId }) => ({
    params: { id: topupId },
    body: { fields: [{ key: 'player_id', type: 'digits', labels: { ru: 'ID игрока' } }] },
  })),
  'POST /admin/products/:id/try': adminOnly(200, ({ topupId }) => ({
    params: { id: topupId },
    body: { account: { player_id: '5123456789' } },
  })),
  'GET /admin/products/:id/offers': adminOnly(200, ({ offer }) => ({
    params: { id: offer.productId },
    query: { ...list, sort: 'price_usd' },
  })),
  'POST /admin/products/:id/offers': confirmedOnly(201, ({ offer }) => ({
    params: { id: offer.productId },
    body: { regionId: offer.regionId, gameAmount: 987_654, priceUsd: 2.5, priceRub: 200 },
  })),
  'GET /admin/offers/:id': adminOnly(200, ({ offer }) => ({ params: { id: offer.id } })),
  'DELETE /admin/offers/:id': confirmedOnly(200, ({ offer }) => ({ params: { id: offer.id } })),
  'PUT /admin/offers/:id': confirmedOnly(200, ({ offer }) => ({
    params: { id: offer.id },
    body: { priceUsd: 2.5, priceRub: 200, isPopular: true, isActive: true, confirmPrices: true },
  })),

  'GET /admin/price-rules': adminOnly(200, () => ({ query: { ...list, sort: 'scope' } })),
  'POST /admin/price-rules': confirmedOnly(201, ({ fresh }) => ({
    body: { scope: 'category', category: fresh(), ...rule },
  })),
  'PUT /admin/price-rules/:id': confirmedOnly(200, ({ ruleId }) => ({
    params: { id: ruleId },
    body: { margin_percent: 12 },
  })),
  'DELETE /admin/price-rules/:id': confirmedOnly(200, ({ ruleId }) => ({ params: { id: ruleId } })),
  'GET /admin/price-rules/:id/history': adminOnly(200, ({ ruleId }) => ({ params: { id: ruleId } })),
  'POST /admin/price-rules/example': adminOnly(200, () => ({ body: { rule, cost: '1.25', currency: 'USD' } })),
  'POST /admin/price-changes/preview': adminOnly(200, ({ offer }) => ({
    body: { wish: { by: 'rule', selection: { of: 'product', product_id: offer.productId } } },
  })),
  'POST /admin/price-changes': confirmedOnly(200, ({ fresh }) => ({
    // The digest of nothing: nothing is in the category.
    body: {
      wish: { by: 'rule', selection: { of: 'category', category: fresh() } },
      seen: 'd41d8cd98f00b204e9800998ecf8427e',
    },
  })),
  'POST /admin/offer-changes/preview': adminOnly(200, ({ offer }) => ({
    body: { wish: { selection: { of: 'product', product_id: offer.productId }, set: { is_popular: true } } },
  })),
  'POST /admin/offer-changes': confirmedOnly(409, ({ offer }) => ({
    // The digest of nothing, while there is something to change.
    body: {
      wish: { selection: { of: 'product', product_id: offer.productId }, set: { low_stock: 6 } },
      seen: 'd41d8cd98f00b204e9800998ecf8427e',
    },
  })),
  'GET /admin/offer-prices': adminOnly(200, ({ offer }) => ({
    query: { ...list, sort: 'price_usd', state: 'drifted', category: 'games', productId: offer.productId },
  })),
  'GET /admin/pending-prices': adminOnly(200, () => ({ query: { ...list, sort: 'id' } })),
  'POST /admin/pending-prices/decide': confirmedOnly(200, ({ pendingPriceId }) => ({
    body: { decision: 'reject', ids: [pendingPriceId] },
  })),

  'GET /admin/message-channels': adminOnly(200),
  'PUT /admin/message-channels/:channel': confirmedOnly(200, () => ({
    params: { channel: 'email' },
    body: { settings: { SMTP_HOST: 'mail.example', SMTP_FROM: 'shop@shop.example' } },
  })),
  'GET /admin/message-recipients': adminOnly(200, () => ({ query: { ...list, sort: 'name' } })),
  'POST /admin/message-recipients': confirmedOnly(201, ({ fresh }) => ({
    body: {
      name: 'Night shift',
      channel: 'email',
      address: `${fresh()}@shop.example`,
      language: 'uz',
      alert_kinds: ['delivery.stuck'],
      quiet_hours: { from: '22:00', to: '08:00' },
      is_on: true,
    },
  })),
  'PUT /admin/message-recipients/:id': confirmedOnly(200, ({ recipientId }) => ({
    params: { id: recipientId },
    body: { name: 'Day shift' },
  })),
  'DELETE /admin/message-recipients/:id': confirmedOnly(200, ({ recipientId }) => ({ params: { id: recipientId } })),
  'POST /admin/message-recipients/:id/test': confirmedOnly(200, ({ recipientId }) => ({
    params: { id: recipientId },
    body: {},
  })),
  'GET /admin/messages': adminOnly(200, () => ({ query: { ...list, state: 'failed' } })),
  'POST /admin/messages/:id/retry': confirmedOnly(200, ({ failedMessageId }) => ({
    params: { id: failedMessageId },
    body: {},
  })),

  'GET /admin/regions': adminOnly(200, () => ({ query: { ...list, sort: 'name' } })),
  'POST /admin/regions': confirmedOnly(201, ({ offer }) => ({
    body: { name: 'Kazakhstan', code: `KZ${offer.id}`, flag: '🇰🇿', is_active: true },
  })),
  'PUT /admin/regions/:id': confirmedOnly(200, ({ regionId }) => ({
    params: { id: regionId },
    body: { name: 'Turkiye' },
  })),
  'DELETE /admin/regions/:id': confirmedOnly(200, ({ emptyRegionId }) => ({ params: { id: emptyRegionId } })),

  'GET /admin/promotions': adminOnly(200, () => ({ query: { ...list, sort: 'text' } })),
  'POST /admin/promotions': confirmedOnly(201, () => ({
    body: { text: 'Sale', background_color: '#aabbcc', is_active: true, translations: { en: 'Sale' } },
  })),
  'PUT /admin/promotions/:id': confirmedOnly(200, ({ promotionId }) => ({
    params: { id: promotionId },
    body: { text: 'Sold out', background_color: '#aabbcc', is_active: false },
  })),
  'DELETE /admin/promotions/:id': confirmedOnly(200, ({ promotionId }) => ({ params: { id: promotionId } })),

  'GET /admin/coupons': adminOnly(200, () => ({ query: { ...list, sort: 'code' } })),
  'POST /admin/coupons': confirmedOnly(201, ({ fresh }) => ({
    body: { code: fresh(), percent: 10, max_uses: 100, starts_at: '2026-01-01T00:00:00Z' },
  })),
  'PUT /admin/coupons/:id': confirmedOnly(200, ({ coupon }) => ({
    params: { id: coupon.id },
    body: { percent: 12, note: 'A test', ends_at: '2099-01-01T00:00:00Z' },
  })),
  'DELETE /admin/coupons/:id': confirmedOnly(200, ({ coupon }) => ({ params: { id: coupon.id } })),

  'GET /admin/codes': adminOnly(200, ({ offer }) => ({
    query: {
      ...list,
      search: '7',
      sort: 'status',
      productId: offer.productId,
      regionId: 0,
      status: 'available',
      batch: 1,
    },
  })),
  'POST /admin/codes/search': adminOnly(200, ({ offer }) => ({
    body: { search: 'CODE', productId: offer.productId, regionId: 0, status: 'available', batch: 1 },
  })),
  'POST /admin/codes': confirmedOnly(201, ({ offer, fresh }) => ({
    body: {
      productId: offer.productId,
      regionId: offer.regionId,
      code: fresh(),
      gameAmount: 100,
      priceUsd: 1,
      priceRub: 80,
    },
  })),
  'PUT /admin/codes/:id': confirmedOnly(200, ({ codeId }) => ({
    params: { id: codeId },
    body: { status: 'archived' },
  })),
  'DELETE /admin/codes/:id': confirmedOnly(200, ({ codeId }) => ({ params: { id: codeId } })),
  'POST /admin/codes/:id/reveal': confirmedOnly(200, ({ codeId }) => ({ params: { id: codeId }, body: {} })),
  'POST /admin/codes/bulk': confirmedOnly(200, ({ offer, fresh }) => ({
    query: { dryRun: 'false' },
    body: { productId: offer.productId, regionId: offer.regionId, lines: [`${fresh()},1,80,100`] },
  })),

  'GET /admin/generated-codes': adminOnly(200, ({ generated }) => ({
    query: {
      ...list,
      search: '7',
      sort: 'game_amount',
      productId: generated.productId,
      denominationId: generated.denominationId,
      status: 'available',
      published: 'true',
      activated: 'false',
      batch: generated.batchId,
    },
  })),
  'POST /admin/generated-codes/search': adminOnly(200, ({ generated }) => ({
    body: {
      search: generated.codes[0]?.plain ?? '',
      productId: generated.productId,
      denominationId: generated.denominationId,
      status: 'available',
      published: true,
      activated: false,
      batch: generated.batchId,
    },
  })),
  'POST /admin/generated-codes/generate': confirmedOnly(201, ({ generated }) => ({
    body: {
      productId: generated.productId,
      denominationId: generated.denominationId,
      count: 3,
      prefix: 'GIFT',
      published: true,
    },
  })),
  'PUT /admin/generated-codes/:id': confirmedOnly(200, ({ generated }) => ({
    params: { id: generated.codes[0]?.id ?? 0 },
    body: { published: false, popular: true },
  })),
  'POST /admin/generated-codes/publish': confirmedOnly(200, ({ generated }) => ({
    body: { ids: generated.codes.map(({ id }) => id), published: false },
  })),
  'POST /admin/generated-codes/copy': confirmedOnly(200, ({ generated }) => ({
    body: {
      filter: {
        ids: generated.codes.map(({ id }) => id),
        productId: generated.productId,
        denominationId: generated.denominationId,
        status: 'available',
        published: true,
        activated: false,
        batch: generated.batchId,
        search: generated.codes[0]?.plain ?? '',
      },
      format: 'csv',
    },
  })),

  'GET /pubg-admin/denominations': adminOnly(200, () => ({ query: { ...list, sort: 'uc_amount' } })),
  'GET /pubg-admin/denominations/active': adminOnly(200),
  'POST /pubg-admin/denominations': confirmedOnly(201, ({ pool }) => ({
    body: { uc_amount: pool.gameAmount + 500_000_000, price_usd: 1, price_rub: 80, is_active: true },
  })),
  'PUT /pubg-admin/denominations/:id': confirmedOnly(200, ({ pool }) => ({
    params: { id: pool.denominationId },
    body: { price_usd: 2.5, price_rub: 200, is_active: false, confirmPrices: true },
  })),
  'DELETE /pubg-admin/denominations/:id': confirmedOnly(200, ({ pool }) => ({ params: { id: pool.denominationId } })),
  'GET /pubg-admin/codes': adminOnly(200, ({ pool }) => ({
    query: {
      ...list,
      search: '7',
      sort: 'uc_amount',
      denominationId: pool.denominationId,
      status: 'available',
      batch: 1,
    },
  })),
  'POST /pubg-admin/codes/search': adminOnly(200, ({ pool }) => ({
    body: { search: 'CODE', denominationId: pool.denominationId, status: 'available', batch: 1 },
  })),
  'POST /pubg-admin/codes': confirmedOnly(201, ({ pool, fresh }) => ({
    body: { denomination_id: pool.denominationId, code: fresh() },
  })),
  'POST /pubg-admin/codes/bulk': confirmedOnly(200, ({ pool, fresh }) => ({
    query: { dryRun: 'false' },
    body: { denomination_id: pool.denominationId, lines: [fresh(), fresh()] },
  })),
  'PUT /pubg-admin/codes/:id': confirmedOnly(200, ({ pool, fresh }) => ({
    params: { id: pool.ids[0] ?? 0 },
    body: { denomination_id: pool.denominationId, code: fresh(), status: 'error' },
  })),
  'DELETE /pubg-admin/codes/:id': confirmedOnly(200, ({ pool }) => ({ params: { id: pool.ids[0] ?? 0 } })),
  'GET /freefire-admin/denominations': adminOnly(200, () => ({ query: { ...list, sort: 'name' } })),
  'POST /freefire-admin/denominations': confirmedOnly(201, ({ generated, fresh }) => ({
    body: {
      name: 'Diamonds',
      item_id: fresh(),
      game_amount: generated.gameAmount + 500_000_000,
      price_usd: 1,
      price_rub: 80,
      is_active: true,
    },
  })),
  'PUT /freefire-admin/denominations/:id': confirmedOnly(200, ({ generated, fresh }) => ({
    params: { id: generated.denominationId },
    body: {
      name: 'More diamonds',
      item_id: fresh(),
      price_usd: 2.5,
      price_rub: 200,
      is_active: true,
      confirmPrices: true,
    },
  })),
  'DELETE /freefire-admin/denominations/:id': confirmedOnly(200, ({ generated }) => ({
    params: { id: generated.denominationId },
  })),

  'GET /admin/code-batches': adminOnly(200, () => ({ query: list })),
  'PUT /admin/code-batches/:id': confirmedOnly(200, ({ batchId }) => ({
    params: { id: batchId },
    body: { cost: '0.8', currency: 'USD', invoice: 'A-17', expires_on: '2099-12-31' },
  })),
  'GET /admin/code-batches/:id': adminOnly(200, ({ batchId }) => ({ params: { id: batchId } })),
  'GET /admin/code-batches/:id/buyers': adminOnly(200, ({ batchId }) => ({ params: { id: batchId }, query: list })),
  'POST /admin/code-batches/:id/recall': confirmedOnly(200, ({ batchId }) => ({
    params: { id: batchId },
    body: { reason: 'the supplier sent bad codes' },
  })),

  'GET /admin/currency-rates': adminOnly(200),
  'PUT /admin/currency-rates/:id': confirmedOnly(200, ({ rateId }) => ({
    params: { id: rateId },
    body: { rate: 81.5, auto_update: false },
  })),
  'POST /admin/currency-rates/refresh': confirmedOnly(200, () => ({ body: {} })),
  'GET /admin/currency-rates/:id/history': adminOnly(200, ({ rateId }) => ({ params: { id: rateId } })),
  'GET /admin/filling-settings': adminOnly(200),
  'PUT /admin/filling-settings': confirmedOnly(200, () => ({ body: { is_on: true, least_usd: 1, most_usd: 500 } })),
  // It is an order of goods.
  'POST /admin/fillings/:id/refund': confirmedOnly(404, ({ orderId }) => ({
    params: { id: orderId },
    body: { reason: 'did not work' },
  })),
  'GET /admin/shop': adminOnly(200),
  'PUT /admin/shop': confirmedOnly(200, () => ({ body: { name: 'Kamon Games', email: 'shop@example.com' } })),
  'POST /admin/product-pictures': confirmedOnly(201, () => ({ body: { content: dot } })),
  'POST /admin/shop-pictures': confirmedOnly(201, () => ({ body: { content: dot, use: 'icon' } })),
  'GET /admin/shop-texts': adminOnly(200),
  'PUT /admin/shop-texts': confirmedOnly(200, () => ({
    body: { key: 'home.hero', words: { en: 'Games of all kinds' } },
  })),
  'GET /admin/shop-units': adminOnly(200),
  'PUT /admin/shop-units': confirmedOnly(200, () => ({
    body: { name: 'Echo', words: { uz: { other: 'aks-sado' } } },
  })),
  'GET /admin/shop-numbers': adminOnly(200),
  'PUT /admin/shop-numbers': confirmedOnly(200, () => ({ body: { low_stock_codes: 5 } })),
  'GET /admin/notification-texts': adminOnly(200),
  'PUT /admin/notification-texts': confirmedOnly(200, () => ({
    body: { texts: { en: { answered: 'An answer: {link}' } } },
  })),
  'GET /admin/operator-texts': adminOnly(200),
  'PUT /admin/operator-texts': confirmedOnly(200, () => ({
    body: { texts: { en: { raised: '{title}: {link}' } } },
  })),
  'GET /admin/shop-front': adminOnly(200),
  'PUT /admin/shop-front': confirmedOnly(200, () => ({ body: { action_url: '/products/steam' } })),
  'GET /admin/shop-versions/:section': adminOnly(200, () => ({ params: { section: 'shop' } })),
  'POST /admin/shop-versions/:section/restore': confirmedOnly(200, () => ({
    params: { section: 'texts' },
    body: { restored: 1 },
  })),
  'GET /admin/pages': adminOnly(200),
  'GET /admin/pages/:name': adminOnly(200, () => ({ params: { name: 'terms' } })),
  'PUT /admin/pages/:name': confirmedOnly(200, () => ({
    params: { name: 'about' },
    body: { is_published: true, texts: { en: 'We sell codes.' } },
  })),
  'POST /admin/pages/preview': adminOnly(200, () => ({ body: { text: 'We sell codes.' } })),
  'GET /admin/pages/:name/versions': adminOnly(200, () => ({ params: { name: 'terms' } })),
  'GET /admin/fiscal-settings': adminOnly(200),
  'PUT /admin/fiscal-settings': confirmedOnly(200, () => ({
    body: { providers: [], tax_system: 'usn_income', tax: 'none', subject: 'service', mode: 'full_payment' },
  })),
  'POST /admin/fiscal-settings/try': confirmedOnly(200, () => ({
    body: { provider: 'sandbox', amount: 10, email: 'books@example.com' },
  })),
  'GET /currency-settings/settings': adminOnly(200),
  'POST /currency-settings/settings': confirmedOnly(200, () => ({
    body: {
      auto_update: true,
      update_time: '09:00',
      timezone: 'Asia/Tashkent',
      source: 'fixed',
      max_jump_percent: 10,
      markup_percent: 0,
    },
  })),

  'GET /admin/deliveries': adminOnly(200, () => ({ query: { ...list, sort: 'operator_since', state: 'operator' } })),
  'GET /admin/deliveries/count': adminOnly(200),
  'POST /admin/deliveries/:id/complete': confirmedOnly(200, decideDelivery),
  'POST /admin/deliveries/:id/retry': confirmedOnly(200, decideDelivery),
  'POST /admin/deliveries/:id/refund': confirmedOnly(200, decideDelivery),
  'GET /admin/suppliers': adminOnly(200),
  'GET /admin/suppliers/accounts': adminOnly(200),
  'PUT /admin/suppliers/:name': confirmedOnly(200, () => ({ params: { name: 'manual' }, body: { is_on: true } })),
  'PUT /admin/suppliers/:name/account': confirmedOnly(200, () => ({
    params: { name: 'seagm' },
    body: { settings: null },
  })),
  'POST /admin/suppliers/:name/account/try': confirmedOnly(200, () => ({
    params: { name: 'sandbox' },
    body: { settings: {} },
  })),
  'POST /admin/suppliers/order': confirmedOnly(200, () => ({ body: { names: ['sandbox'] } })),
  'GET /admin/suppliers/versions': adminOnly(200),
  'POST /admin/suppliers/restore': confirmedOnly(404, () => ({ body: { restored: 4_711 } })),
  'GET /admin/suppliers/syncs': adminOnly(200),
  'GET /admin/suppliers/:name/sync': adminOnly(200, () => ({ params: { name: 'sandbox' } })),
  'POST /admin/suppliers/:name/sync': adminOnly(200, () => ({ params: { name: 'sandbox' }, body: {} })),
  'GET /admin/suppliers/:name/services': adminOnly(200, () => ({
    params: { name: 'sandbox' },
    query: { ...list, sort: 'title', kind: 'topup', taken: 'false' },
  })),
  'PUT /admin/suppliers/:name/services/:id/field-names': confirmedOnly(200, ({ sourced }) => ({
    params: { name: 'sandbox', id: sourced.serviceId },
    body: { fieldNames: { player_id: '{user_id}|{zone_id}' } },
  })),
  'GET /admin/suppliers/:name/products': adminOnly(200, ({ sourced }) => ({
    params: { name: 'sandbox' },
    query: { ...list, sort: 'cost', service: sourced.serviceId, change: 'new', since: '2026-01-01T00:00:00Z' },
  })),
  'POST /admin/suppliers/:name/take-over': confirmedOnly(200, ({ sourced, fresh }) => ({
    params: { name: 'sandbox' },
    body: {
      games: [{ service: sourced.service, slug: fresh(), offers: [{ reference: `${sourced.service}/60` }] }],
      marginPercent: 10,
    },
  })),
  'POST /admin/suppliers/:name/take-over/preview': adminOnly(200, ({ sourced, fresh }) => ({
    params: { name: 'sandbox' },
    body: {
      games: [{ service: sourced.service, slug: fresh(), offers: [{ reference: `${sourced.service}/60` }] }],
      priceMode: 'rule',
    },
  })),
  'GET /admin/offers/:id/sources': adminOnly(200, ({ sourced }) => ({ params: { id: sourced.offerId } })),
  'PUT /admin/offers/:id/sources': confirmedOnly(200, ({ sourced }) => ({
    params: { id: sourced.offerId },
    body: {
      sources: [{ kind: 'supplier', productId: sourced.supplierProductId, costAtMost: '0.9' }, { kind: 'operator' }],
    },
  })),
  'POST /admin/offers/:id/sources/:sourceId/reopen': confirmedOnly(200, ({ sourced }) => ({
    params: { id: sourced.offerId, sourceId: sourced.sourceId },
    body: { cost: '0.5', currency: 'USD' },
  })),

  'GET /admin/alerts': adminOnly(200, () => ({ query: { ...list, sort: 'id', state: 'open' } })),
  'GET /admin/alerts/count': adminOnly(200),
  'PUT /admin/alerts/:id': adminOnly(200, ({ alertId }) => ({
    params: { id: alertId },
    body: { state: 'acknowledged' },
  })),

  'GET /admin/reviews': adminOnly(200, () => ({ query: { ...list, sort: 'stars', filter: 'waiting' } })),
  'PUT /admin/reviews/:id/answer': confirmedOnly(200, ({ reviewId }) => ({
    params: { id: reviewId },
    body: { answer: 'Thank you' },
  })),
  'PUT /admin/reviews/:id/hidden': confirmedOnly(200, ({ reviewId }) => ({
    params: { id: reviewId },
    body: { hidden: true, reason: 'Somebody else’s telephone number' },
  })),

  'GET /admin/conversations': adminOnly(200, () => ({ query: { ...list, sort: 'state', state: 'open' } })),
  'GET /admin/conversations/count': adminOnly(200),
  'GET /admin/conversations/events': adminOnly(200),
  'GET /admin/conversations/:id': adminOnly(200, ({ conversationId }) => ({ params: { id: conversationId } })),
  'POST /admin/conversations/:id/answers': adminOnly(201, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { text: 'It is replaced' },
  })),
  'POST /admin/conversations/:id/notes': adminOnly(201, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { text: 'Called back' },
  })),
  'PUT /admin/conversations/:id': adminOnly(200, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { state: 'closed' },
  })),
  'PUT /admin/conversations/:id/read': adminOnly(204, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { upTo: 1 },
  })),
  'GET /admin/answer-templates': adminOnly(200, () => ({ query: { ...list, sort: 'title' } })),
  'POST /admin/answer-templates': confirmedOnly(201, ({ fresh }) => ({
    body: { title: fresh(), texts: { ru: 'Спасибо', en: 'Thanks', uz: 'Rahmat' } },
  })),
  'PUT /admin/answer-templates/:id': confirmedOnly(200, ({ templateId }) => ({
    params: { id: templateId },
    body: { title: 'Hello again' },
  })),
  'GET /admin/answer-templates/:id/versions': adminOnly(200, ({ templateId }) => ({ params: { id: templateId } })),
  'GET /admin/answer-templates/removed': adminOnly(200),
  'POST /admin/answer-templates/:id/restore': confirmedOnly(404, ({ templateId }) => ({
    params: { id: templateId },
    body: { restored: 4_711 },
  })),
  'DELETE /admin/answer-templates/:id': confirmedOnly(200, ({ templateId }) => ({ params: { id: templateId } })),
}

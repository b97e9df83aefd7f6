import { type AccessLine, everybody, loggedIn, ownerOnly } from './access-lines.ts'
import { toCart } from './factories.ts'
import { steamTopup, tenDollars } from './topups.ts'

const unknownPayment = '3f0d0f5e-6f0a-4c1e-9a53-0a8f0c9b7d11'

/** The calls of visitors, customers and vendors. */
export const customerAccess: Readonly<Record<string, AccessLine>> = {
  'POST /auth/register': everybody(201, ({ fresh, password }) => ({
    body: { nickname: fresh(), password, confirmPassword: password },
  })),
  'POST /auth/login': everybody(200, ({ owner, password }) => ({ body: { nickname: owner.nickname, password } })),
  'GET /auth/recovery': everybody(200),
  'POST /auth/recovery': everybody(201, () => ({ body: { name: 'lola' } })),
  'POST /auth/recovery/password': everybody(404, ({ password }) => ({ body: { token: 'made-up', password } })),
  'POST /auth/logout': loggedIn(204),
  'GET /profile': loggedIn(200),
  'GET /profile/sessions': loggedIn(200),
  'DELETE /profile/sessions/:id': ownerOnly(204, 404, ({ ownerSessionId }) => ({ params: { id: ownerSessionId } })),
  'POST /profile/sessions/end-others': loggedIn(204),
  'PUT /profile/contact': loggedIn(204, ({ password }) => ({ body: { currentPassword: password, contact: '@me' } })),
  'GET /profile/notifications': loggedIn(200),
  'PUT /profile/notifications': loggedIn(404, () => ({
    body: { channel: 'telegram', kind: 'answered', is_on: false },
  })),
  // There is no bot.
  'POST /profile/telegram': loggedIn(404, ({ password }) => ({ body: { currentPassword: password } })),
  'DELETE /profile/telegram': loggedIn(204),
  'POST /notifications/decline': everybody(404, () => ({ body: { token: '1.answered.made-up' } })),
  'PUT /profile/password': loggedIn(204, ({ password }) => ({
    body: { currentPassword: password, password: `new-${password}` },
  })),

  'GET /promotions/active': everybody(200),
  'GET /products': everybody(200),
  'GET /topups': everybody(200),
  'GET /products/slug/:slug': everybody(200, ({ offer }) => ({ params: { slug: offer.slug } })),
  'GET /products/slug/:slug/reviews': everybody(200, ({ offer }) => ({ params: { slug: offer.slug } })),
  'GET /products/:id/codes/:regionId': everybody(200, ({ offer }) => ({
    params: { id: offer.productId, regionId: offer.regionId },
  })),
  'GET /products/:id/popular/:regionId': everybody(200, ({ offer }) => ({
    params: { id: offer.productId, regionId: offer.regionId },
  })),

  'GET /freefire/offers': everybody(200),
  'GET /pubg/packages': everybody(200),
  'POST /freefire/check-id': everybody(200, () => ({ body: { playerID: '5123456789' } })),
  'POST /pubg/check-id': everybody(200, () => ({ body: { playerID: '5123456789' } })),
  // Anyone who has a code may spend it.
  'POST /freefire/activate-code': loggedIn(200, ({ unspent }) => ({
    body: { playerID: '5123456789', code: unspent() },
  })),
  'POST /steam/calculate': loggedIn(200, () => ({
    body: { amount: 10, inputCurrency: 'usd', userBalanceCurrency: 'rub' },
  })),

  'GET /topups/:slug/fields': everybody(200, () => ({ params: { slug: 'pubg' } })),
  'GET /topups/:slug/offers': everybody(200, () => ({ params: { slug: 'pubg' } })),
  'POST /topups/:slug/check': everybody(200, () => ({
    params: { slug: 'pubg' },
    body: { account: { player_id: '5123456789' } },
  })),
  'POST /topups/:slug/calculate': loggedIn(200, () => ({
    params: { slug: 'steam' },
    body: { amount: 10, inputCurrency: 'usd', userBalanceCurrency: 'rub' },
  })),

  'GET /cart': loggedIn(200),
  'GET /cart/count': loggedIn(200),
  'POST /cart/add': loggedIn(201, ({ offer }) => ({ body: toCart(offer) })),
  'POST /cart/add-topup': loggedIn(201, () => ({ body: { topupData: steamTopup(tenDollars) } })),
  'PUT /cart/update-quantity/:id': ownerOnly(200, 404, ({ cartItemId }) => ({
    params: { id: cartItemId },
    body: { quantity: 2 },
  })),
  'DELETE /cart/remove/:id': ownerOnly(200, 404, ({ cartItemId }) => ({ params: { id: cartItemId } })),
  'POST /cart/clear': loggedIn(200, () => ({ body: {} })),

  'GET /orders': loggedIn(200, () => ({ query: { search: 'A', page: 1, pageSize: 10 } })),
  'GET /orders/products': loggedIn(200),
  'GET /orders/events': loggedIn(200),
  'GET /orders/:id/reviews': ownerOnly(200, 404, ({ orderId }) => ({ params: { id: orderId } })),
  'PUT /orders/:id/items/:itemId/review': ownerOnly(200, 404, ({ orderId, orderItemId }) => ({
    params: { id: orderId, itemId: orderItemId },
    body: { stars: 4, text: 'Quick' },
  })),
  'DELETE /orders/:id/items/:itemId/review': ownerOnly(204, 404, ({ orderId, orderItemId }) => ({
    params: { id: orderId, itemId: orderItemId },
  })),
  'GET /orders/:id': ownerOnly(200, 404, ({ orderId }) => ({ params: { id: orderId } })),
  'GET /orders/:id/share': ownerOnly(200, 404, ({ orderId }) => ({ params: { id: orderId } })),
  'POST /orders/:id/share': ownerOnly(201, 404, ({ orderId }) => ({ params: { id: orderId }, body: { hours: 24 } })),
  'DELETE /orders/:id/share': ownerOnly(204, 404, ({ orderId }) => ({ params: { id: orderId } })),
  // Open to anyone who has a link and its PIN; these are invented.
  // Nobody has been given the address of a file.
  'GET /exports/:ticket': everybody(404, () => ({ params: { ticket: 'invented' } })),
  'POST /shared-receipts': everybody(404, () => ({ body: { token: 'invented', pin: '000000' } })),

  'GET /balance': loggedIn(200),
  'GET /balance/history': loggedIn(200, () => ({ query: { currency: 'usd', page: 1, pageSize: 10 } })),
  'GET /balance/filling-terms': loggedIn(200),
  'GET /balance/fillings': loggedIn(200),
  // The others' carts are empty.
  'POST /payment/from-balance': ownerOnly(201, 409, () => ({ body: { currency: 'USD' } })),
  'POST /checkout/coupon': ownerOnly(200, 409, ({ coupon }) => ({ body: { coupon: coupon.code, currency: 'USD' } })),
  // The others have no roubles.
  'POST /payment/buy-now': ownerOnly(201, 402, ({ offer, fresh }) => ({
    headers: { 'idempotency-key': fresh() },
    body: { offerId: offer.id, quantity: 1, currency: 'RUB', amount: offer.priceRub / 100 },
  })),
  'POST /payment/create': ownerOnly(201, 409, ({ offer }) => ({
    body: { amount: offer.priceUsd / 100, currency: 'USD', type: 'order' },
  })),
  // The demoted and the admins have no money.
  'POST /orders/topup': {
    expected: { ...loggedIn(402).expected, stranger: 201, owner: 201 },
    sample: () => ({ body: { topupData: steamTopup(tenDollars), currency: 'USD' } }),
  },
  'GET /currency-rates': everybody(200),
  'GET /shop': everybody(200),
  'GET /shop/questions': everybody(200),
  // None is published.
  'GET /pages/:name': everybody(404, () => ({ params: { name: 'terms' } })),
  // A webhook without a signature.
  'GET /payment/methods': everybody(200, () => ({ query: { currency: 'USD' } })),
  'POST /payment/webhook/:provider': everybody(400, () => ({ params: { provider: 'sandbox' }, body: {} })),
  'POST /payment/webhook/:provider/:method': everybody(404, () => ({
    params: { provider: 'sandbox', method: 'prepare' },
    body: {},
  })),
  'POST /supplier/webhook/:supplier': everybody(400, () => ({ params: { supplier: 'sandbox' }, body: {} })),
  'GET /sandbox/payments/:id': everybody(404, () => ({ params: { id: unknownPayment } })),
  'POST /sandbox/payments/:id/act': everybody(404, () => ({ params: { id: unknownPayment }, body: { action: 'pay' } })),

  'POST /support/recovery': everybody(201, () => ({ body: { nickname: 'lola', contact: '@lola' } })),
  'POST /support': everybody(201, () => ({
    body: { nickname: 'Somebody', userId: '17', message: 'Where is my code?', contact: '@somebody' },
  })),
  'POST /support/linked': everybody(200, ({ linkToken }) => ({ body: { token: linkToken() } })),
  'POST /support/linked/messages': everybody(201, ({ linkToken }) => ({
    body: { token: linkToken(), message: 'It is still there' },
  })),
  'POST /support/linked/events': everybody(200, ({ linkToken }) => ({ body: { token: linkToken() } })),
  'GET /support/conversations': loggedIn(200),
  'GET /support/conversations/events': loggedIn(200),
  'GET /support/conversations/:id': ownerOnly(200, 404, ({ conversationId }) => ({ params: { id: conversationId } })),
  'POST /support/conversations/:id/messages': ownerOnly(201, 404, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { message: 'It is still there' },
  })),
  'PUT /support/conversations/:id/read': ownerOnly(204, 404, ({ conversationId }) => ({
    params: { id: conversationId },
    body: { upTo: 1 },
  })),

  'GET /health': everybody(200),
  'GET /ready': everybody(200),
}

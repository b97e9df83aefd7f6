import type { CartItem } from '@olmos/contract/cart'
import { paymentMarks, type Receipt } from '@olmos/contract/orders'
import type { OfferedMethod } from '@olmos/contract/payments'
import type { Review, ReviewedItem } from '@olmos/contract/reviews'
import {
  act,
  askForPlayer,
  chooseDiamonds,
  fill,
  main,
  openTopUp,
  press,
  rate,
  type Screen,
  scrollToReviews,
  submit,
  typeSteam,
} from './screen.ts'

const broken = { refused: 'UNEXPECTED_ERROR' } as const
const everything = '/.*'

/** What has nothing to show before an answer comes. */
const loaded: Screen[] = [
  { name: 'cart', path: '/cart', as: 'customer', says: 'cart.failed' },
  { name: 'checkout', path: '/checkout', as: 'customer', says: 'cart.failed' },
  { name: 'orders', path: '/orders', as: 'customer', says: 'orders.failed' },
  { name: 'receipt', path: ({ receipt }) => `/orders/${receipt}`, as: 'customer', says: 'receipt.failed' },
  { name: 'profile', path: '/profile', as: 'customer', says: 'profile.failed' },
  { name: 'bank', path: ({ payUrl }) => new URL(payUrl).pathname, as: 'customer', says: 'sandbox.failed' },
]

const logIn: Screen = {
  name: 'login',
  path: '/login',
  prepare: async (page) => {
    await fill(page, 'Kamila_2007', 'any-password-7')
    await submit(page)
  },
}
const register: Screen = {
  name: 'register',
  path: '/register',
  prepare: async (page) => {
    await fill(page, 'Kamila_2008', 'any-password-7', 'any-password-7')
    await submit(page)
  },
}
const addToCart: Screen = { name: 'product-add', path: '/products/roblox', as: 'newcomer', prepare: act }
const region: Screen = {
  name: 'product-region',
  path: '/products/playstation',
  prepare: (page) => main(page).getByRole('radiogroup').first().locator('label').nth(1).click(),
}
const find: Screen = { name: 'pubg-player', path: '/products/pubg', prepare: (page) => askForPlayer(page) }
const activate: Screen = {
  name: 'freefire-activation',
  path: '/products/freefire?tab=activate',
  as: 'customer',
  prepare: async (page) => {
    await main(page).locator('input[inputmode=numeric]').fill('5123456')
    await main(page).locator('input[spellcheck=false]').fill('FF-ANY-CODE')
    await main(page).locator('button[type=submit]').last().click()
  },
}
const steam: Screen = { name: 'steam', path: '/products/steam', as: 'customer', prepare: typeSteam }
/** The balance has enough, so that it is what the button at the thumb pays from. */
const fromBalance: Screen = { name: 'checkout-balance', path: '/checkout', as: 'customer', prepare: act }
const byCard: Screen = {
  name: 'checkout-card',
  path: '/checkout',
  as: 'customer',
  prepare: (page, text) => press(page, text('checkout.payByCard')),
}
const payTopup: Screen = {
  name: 'checkout-topup',
  path: '/products/freefire',
  as: 'customer',
  prepare: async (page) => {
    await chooseDiamonds(page)
    await act(page)
    // The address is the checkout's a moment before the page is, and both have a button at the thumb.
    await main(page).locator('[name^="account."]').first().waitFor({ state: 'detached' })
    await act(page)
  },
}
const more: Screen = {
  name: 'orders-more',
  path: '/orders',
  as: 'customer',
  prepare: (page) => main(page).locator('button.mantine-Button-root').last().click(),
}
const password: Screen = {
  name: 'profile-password',
  path: '/profile',
  as: 'customer',
  prepare: async (page) => {
    await fill(page, 'any-password-7', 'other-password-7', 'other-password-7')
    await submit(page)
  },
}
const topUp: Screen = {
  name: 'profile-top-up',
  path: '/profile',
  as: 'admin',
  prepare: async (page) => {
    await openTopUp(page)
    await page.locator('[role=dialog] input[inputmode=decimal]').fill('50')
    await page.locator('[role=dialog] button[type=submit]').click()
  },
}
const write: Screen = {
  name: 'support',
  path: '/support',
  prepare: async (page) => {
    await fill(page, 'Salom', '', 'Kamila', '42')
    await submit(page)
  },
}
const receipt: Screen = { name: 'receipt', path: ({ receipt }) => `/orders/${receipt}`, as: 'customer' }
const topupReceipt: Screen = { ...receipt, path: ({ topups }) => `/orders/${topups.delivered}` }
const unpaidReceipt: Screen = { ...receipt, path: ({ awaiting }) => `/orders/${awaiting}` }
const shared: Screen = {
  name: 'shared',
  path: '/shared#any-token',
  prepare: async (page) => {
    await fill(page, '123456')
    await submit(page)
  },
}
const recover: Screen = {
  name: 'recover',
  path: '/recover',
  prepare: async (page) => {
    await fill(page, 'Kamila_2007', '@kamila_2007')
    await submit(page)
  },
}
const buy: Screen = {
  name: 'product-buy-now',
  path: '/products/roblox',
  as: 'customer',
  prepare: async (page, text) => {
    await press(page, text('product.buyNow'))
    await press(page, text('checkout.payFromBalance'))
  },
}
const either = (first: RegExp, second: RegExp) => new RegExp(`${first.source}|${second.source}`, first.flags)
const share: Screen = {
  name: 'receipt-share',
  path: ({ receipt }) => `/orders/${receipt}`,
  as: 'customer',
  prepare: async (page, text) => {
    await press(page, text('shared.give'))
    // Its words change once it is known that there is a link already, as the answer here says.
    await press(page, either(text('shared.make'), text('shared.remake')))
  },
}
const reviewedProduct: Screen = { name: 'product-reviews', path: '/products/telegram', prepare: scrollToReviews }
const writeReview: Screen = {
  ...receipt,
  name: 'receipt-review',
  prepare: async (page) => {
    await rate(page)
    await submit(page)
  },
}
const ownReview: Screen = { name: 'receipt-reviewed', path: ({ reviewed }) => `/orders/${reviewed}`, as: 'customer' }
const checkout: Screen = { name: 'checkout', path: '/checkout', as: 'customer' }
const busy = 'button[data-loading]'

type Item = Receipt['items'][number]
type Payment = NonNullable<Receipt['payment']>

const payment: Payment = { status: 'open', pay_url: null, expires_at: null, settled_to: null, is_paid_twice: false }

/** The order of the answer in another state, and its lines with it. */
const inState =
  (status: Receipt['status'], item: Partial<Item> = {}, more: Partial<Receipt> = {}) =>
  (order: Receipt): object => ({ ...order, status, ...more, items: order.items.map((line) => ({ ...line, ...item })) })

const review: Review = {
  id: 41,
  stars: 5,
  text: '',
  author: 'Ka…',
  created_at: '2026-11-20T10:00:00.000Z',
  changed_at: null,
  answer: null,
  answered_at: null,
}

/** A page of reviews as they may be: of no words, of one that has no end, of many, and of another direction. */
const everyReview = [
  review,
  { stars: 1, text: `${'a'.repeat(150)}\n\n!!!`, author: 'XX…' },
  {
    stars: 4,
    text: 'Kod darhol keldi. Keyingi safar ham shu yerdan olaman. '.repeat(12).trim(),
    changed_at: '2026-11-24T10:00:00.000Z',
    answer: 'Рады, что всё получилось. '.repeat(6).trim(),
    answered_at: '2026-11-25T10:00:00.000Z',
  },
  { stars: 3, text: 'الرمز وصل بسرعة' },
].map((more, at): Review => ({ ...review, id: 50 - at, ...more }))

/** The own review of the answer, with other things said of it. */
const withOwn =
  (item: Partial<ReviewedItem>, more: Partial<NonNullable<ReviewedItem['review']>>) =>
  ({ data }: { data: ReviewedItem[] }): object => ({
    data: data.map((line) => ({ ...line, ...item, review: line.review && { ...line.review, ...more } })),
  })

/** The cart of the answer, with other things said of its lines. */
const withLines =
  (toLines: (lines: CartItem[]) => object[]) =>
  ({ data, ...answer }: { data: CartItem[] }): object => ({ ...answer, data: toLines(data) })

const soon = '2027-03-01T10:00:00.000Z'

/** A way to pay with each mark there is; the last two take no amount like that. */
const everyMethod: OfferedMethod[] = paymentMarks.map((mark, at) => ({
  name: mark,
  title: null,
  marks: [mark],
  charge_currencies: ['UZS'],
  charge: { currency: 'UZS', rate: '150', amount: 1_234_500 },
  least: at === paymentMarks.length - 1 ? 5_000_000 : null,
  most: at === paymentMarks.length - 2 ? 50_000 : null,
  fee: null,
  needs: [],
}))

/** What an operator may have set for one way to pay. */
const oneMethod = (more: Partial<OfferedMethod>): object => ({
  data: [
    {
      name: 'sandbox',
      title: null,
      marks: ['card'],
      charge_currencies: ['RUB'],
      charge: { currency: 'RUB', rate: null, amount: null },
      least: null,
      most: null,
      fee: null,
      needs: [],
      ...more,
    } satisfies OfferedMethod,
  ],
})

const toBalances = (rub: number) => [
  { currency: 'rub', amount: rub, reserved: 0 },
  { currency: 'usd', amount: 0, reserved: 0 },
]

/**
 * Describes the states of one screen: what each is called, and the call it waits for -> how that goes and what is to be
 * seen then.
 */
const when = (
  screen: Screen,
  call: string,
  cases: Record<string, Pick<Screen, 'says' | 'shows'> & { fate: NonNullable<Screen['calls']>[string] }>,
): Screen[] =>
  Object.entries(cases).map(([name, { fate, ...seen }]) => ({
    ...screen,
    name: `${screen.name}-${name}`,
    calls: { [call]: fate },
    ...seen,
  }))

/** Every screen while it waits, and when what it wants is refused, fails or gets lost. */
export const states: Screen[] = [
  ...loaded.map(({ says: _, ...screen }) => ({
    ...screen,
    name: `${screen.name}-loading`,
    calls: { [everything]: 'delayed' as const },
    shows: '.mantine-Skeleton-root, .coming',
  })),
  ...loaded.map((screen) => ({ ...screen, name: `${screen.name}-failed`, calls: { [everything]: broken } })),
  {
    name: 'cart-count-loading',
    path: '/support',
    as: 'customer',
    calls: { '/cart/count': 'delayed' },
    shows: 'header a :text-is("...")',
  },
  { name: 'login-empty', path: '/login', prepare: submit, says: 'failure.INVALID_CREDENTIALS' },
  { name: 'support-empty', path: '/support', prepare: submit, says: 'field.required' },
  { name: 'profile-password-empty', path: '/profile', as: 'customer', prepare: submit, says: 'field.required' },
  {
    name: 'error',
    path: '/',
    prepare: async (page) => {
      await page.route('**/*.data*', (route) => route.fulfill({ status: 500, body: '' }))
      await page.locator('footer a[href$="/support"]').first().click()
    },
    says: 'errorScreen.title',
  },
  ...when(logIn, '/auth/login', {
    busy: { fate: 'delayed', says: 'login.busy' },
    refused: { fate: { refused: 'INVALID_CREDENTIALS' }, says: 'failure.INVALID_CREDENTIALS' },
    unknown: { fate: { refused: 'USER_NOT_FOUND' }, says: 'failure.USER_NOT_FOUND' },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'login.rateLimited' },
    failed: { fate: broken, says: 'login.serverError' },
    lost: { fate: 'lost', says: 'login.networkError' },
    code: { fate: { refused: 'SECOND_FACTOR_REQUIRED' }, says: 'secondFactor.text' },
  }),
  ...when(register, '/auth/register', {
    busy: { fate: 'delayed', says: 'register.busy' },
    taken: { fate: { refused: 'NICKNAME_TAKEN' }, says: 'failure.NICKNAME_TAKEN' },
    failed: { fate: broken, says: 'register.failed' },
  }),
  ...when(addToCart, '/cart/add', {
    busy: { fate: 'delayed', shows: busy },
    refused: { fate: { refused: 'OUT_OF_STOCK', details: { available_count: 0 } }, says: 'failure.OUT_OF_STOCK' },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
    lost: { fate: 'lost', says: 'failure.NETWORK_ERROR' },
    ended: { fate: { refused: 'UNAUTHENTICATED' }, says: 'login.noAccount' },
  }),
  ...when(buy, '/payment/buy-now', {
    busy: { fate: 'delayed', shows: 'dialog button[data-loading]' },
    changed: { fate: { refused: 'PRICE_CHANGED', details: { total: 119 } }, says: 'buyNow.priceChanged' },
    gone: { fate: { refused: 'OUT_OF_STOCK', details: { available_count: 0 } }, says: 'buyNow.chooseElse' },
    lost: { fate: 'lost', says: 'checkout.noAnswer' },
  }),
  ...when(region, '/products/\\d+/codes/.*', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    failed: { fate: broken, says: 'product.packagesFailed' },
    empty: { fate: { answered: [] }, says: 'product.nothingToBuy' },
  }),
  ...when(reviewedProduct, '/products/slug/telegram/reviews', {
    every: { fate: { answered: { reviews: everyReview, total: 14, page_size: 10 } }, says: 'reviews.more' },
    failed: { fate: broken, says: 'reviews.failed' },
  }),
  ...when(writeReview, '/orders/[0-9A-Z]{10}/items/\\d+/review', {
    busy: { fate: 'delayed', shows: busy },
    closed: {
      fate: { refused: 'STATE_CONFLICT', details: { reason: 'review_closed', days: 30 } },
      says: 'reviews.closed',
    },
    refunded: {
      fate: { refused: 'STATE_CONFLICT', details: { reason: 'review_not_delivered', status: 'refunded' } },
      says: 'reviews.refunded',
    },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'failure.RATE_LIMITED' },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  ...when(ownReview, '/orders/[0-9A-Z]{10}/reviews', {
    hidden: { fate: { changed: withOwn({}, { is_hidden: true, answer: null }) }, says: 'reviews.hidden' },
    over: {
      fate: { changed: withOwn({ can_write: false }, { open_until: '2026-11-20T10:00:00.000Z' }) },
      says: 'reviews.own',
    },
  }),
  ...when(find, '/topups/pubg/check', {
    busy: { fate: 'delayed', shows: busy },
    unknown: { fate: { refused: 'PLAYER_NOT_FOUND' }, says: 'topups.invalidId' },
    silent: { fate: { refused: 'SUPPLIER_UNAVAILABLE' }, says: 'failure.SUPPLIER_UNAVAILABLE' },
    failed: { fate: broken, says: 'topups.verifyFailed' },
    lost: { fate: 'lost', says: 'failure.NETWORK_ERROR' },
  }),
  ...when(activate, '/freefire/activate-code', {
    busy: { fate: 'delayed', shows: busy },
    used: { fate: { refused: 'CODE_ALREADY_USED' }, says: 'failure.CODE_ALREADY_USED' },
    unknown: { fate: { refused: 'CODE_NOT_FOUND' }, says: 'failure.CODE_NOT_FOUND' },
    failed: { fate: broken, says: 'topups.freefire.activationFailed' },
  }),
  ...when(steam, '/topups/steam/calculate', {
    calculating: { fate: 'delayed', says: 'topups.steam.calculating' },
    refused: { fate: { refused: 'INVALID_AMOUNT' }, says: 'topups.steam.notCalculated.invalidAmount' },
    failed: { fate: broken, says: 'topups.steam.notCalculated.calculateFailed' },
  }),
  { ...steam, name: 'steam-login', as: undefined, says: 'topups.steam.notCalculated.loginToCalculate' } as Screen,
  ...when({ name: 'cart', path: '/cart', as: 'customer' }, '/cart', {
    'sold-out': {
      fate: {
        changed: withLines((lines) => lines.map((line, at) => ({ ...line, ...(!at && { available_count: 0 }) }))),
      },
      says: 'cart.soldOut',
    },
    'too-many': {
      fate: { changed: withLines((lines) => lines.map((line) => ({ ...line, quantity: 5, available_count: 3 }))) },
      says: 'cart.tooMany',
    },
    most: {
      fate: { changed: withLines((lines) => lines.map((line) => ({ ...line, available_count: line.quantity }))) },
      says: 'cart.maxQuantity',
    },
    many: {
      fate: {
        changed: withLines((lines) =>
          Array.from({ length: 6 }, (_, at) => lines.map((line) => ({ ...line, id: line.id + 1_000 * at }))).flat(),
        ),
      },
      says: 'cart.subtotalRub',
    },
  }),
  ...when({ ...checkout, name: 'checkout-balance' }, '/balance', {
    short: { fate: { answered: toBalances(120.5) }, says: 'checkout.missing' },
    none: { fate: { answered: toBalances(0) }, says: 'checkout.missing' },
  }),
  ...when(
    { ...checkout, name: 'checkout-part', prepare: (page) => main(page).getByRole('checkbox').check() },
    '/balance',
    {
      offered: { fate: { answered: toBalances(120.5) }, shows: 'input[name=part]:enabled' },
    },
  ),
  ...when(checkout, '/payment/methods', {
    fee: {
      fate: { answered: oneMethod({ fee: 7.5, charge: { currency: 'RUB', rate: null, amount: 307.5 } }) },
      says: 'checkout.fee',
    },
    email: { fate: { answered: oneMethod({ needs: ['email'] }) }, shows: 'input[name=email]' },
    unknown: { fate: broken, says: 'checkout.payment' },
  }),
  ...when(fromBalance, '/payment/from-balance', {
    busy: { fate: 'delayed', shows: busy },
    refused: {
      fate: { refused: 'INSUFFICIENT_BALANCE', details: { required: 3_400, available: 120.5, currency: 'RUB' } },
      says: 'checkout.insufficient',
    },
    changed: {
      fate: { refused: 'PRICE_CHANGED', details: { items: [{ product_title: 'Roblox' }] } },
      says: 'checkout.priceChanged',
    },
    failed: { fate: broken, says: 'checkout.paymentFailed' },
    ended: { fate: { refused: 'UNAUTHENTICATED' }, says: 'login.noAccount' },
    lost: { fate: 'lost', says: 'checkout.noAnswer' },
  }),
  ...when(byCard, '/payment/create', {
    busy: { fate: 'delayed', shows: busy },
    refused: { fate: { refused: 'PAYMENT_PROVIDER_UNAVAILABLE' }, says: 'failure.PAYMENT_PROVIDER_UNAVAILABLE' },
    failed: { fate: broken, says: 'checkout.createPaymentFailed' },
    gone: {
      fate: { refused: 'METHOD_UNAVAILABLE', details: { method: 'sandbox', reason: 'not_offered' } },
      says: 'failure.METHOD_UNAVAILABLE',
    },
  }),
  ...when({ name: 'checkout-methods', path: '/checkout', as: 'customer' }, '/payment/methods', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    every: { fate: { answered: { data: everyMethod } }, says: 'payMark.crypto' },
  }),
  ...when(payTopup, '/orders/topup', {
    busy: { fate: 'delayed', shows: busy },
    repeated: { fate: { refused: 'STATE_CONFLICT', details: { reason: 'repeat' } }, says: 'checkout.repeatText' },
    failed: { fate: broken, says: 'checkout.topupFailed' },
  }),
  ...when(more, '/orders\\?.*page=2.*', {
    loading: { fate: 'delayed', shows: busy },
    failed: { fate: broken, says: 'orders.failed' },
  }),
  ...when(topupReceipt, '/orders/[0-9A-Z]{10}', {
    'topup-sent': {
      fate: {
        changed: inState('pending', {
          status: 'pending',
          promised_minutes: 15,
          steps: [
            { name: 'paid', at: '2026-11-20T10:00:00.000Z' },
            { name: 'sent', at: '2026-11-20T10:00:10.000Z' },
          ],
        }),
      },
      says: 'topups.steps.late',
    },
    'topup-unclear': {
      fate: {
        changed: inState('pending', {
          status: 'unknown',
          steps: [
            { name: 'paid', at: '2026-11-20T10:00:00.000Z' },
            { name: 'unknown', at: '2026-11-20T10:04:00.000Z' },
          ],
        }),
      },
      says: 'topups.steps.unknownText',
    },
    'topup-partly': {
      fate: {
        changed: inState('partially_refunded', {
          partial_refunds: [{ quantity: null, amount: 40, destination: 'wallet' }],
        }),
      },
      says: 'receipt.partly',
    },
  }),
  ...when(receipt, '/orders/[0-9A-Z]{10}', {
    pending: { fate: { changed: inState('pending', { status: 'pending', code: null }) }, says: 'receipt.pendingText' },
    withheld: { fate: { changed: inState('completed', { withheld_codes: 1 }) }, says: 'receipt.withheld' },
    'kept-back': { fate: { changed: inState('completed', { code: null, held_codes: 2 }) }, says: 'receipt.heldCodes' },
    partly: {
      fate: {
        changed: inState('partially_refunded', {
          partial_refunds: [{ quantity: 1, amount: 99, destination: 'card' }],
        }),
      },
      says: 'receipt.partlyText',
    },
    'refunded-codes': {
      fate: { changed: inState('refunded', { status: 'refunded', code: null, refunded_to: 'both' }) },
      says: 'receipt.refundedToBoth',
    },
    'paid-twice': {
      fate: {
        changed: inState(
          'completed',
          {},
          {
            payment_method: 'card',
            payment: { ...payment, status: 'succeeded', settled_to: 'order', is_paid_twice: true },
          },
        ),
      },
      says: 'receipt.paidTwiceText',
    },
  }),
  ...when(unpaidReceipt, '/orders/[0-9A-Z]{10}', {
    declined: {
      fate: {
        changed: inState('awaiting_payment', {}, { is_declined: true, payment: { ...payment, status: 'canceled' } }),
      },
      says: 'receipt.declinedText',
    },
    expired: {
      fate: { changed: inState('expired', { status: 'expired' }, { payment: { ...payment, status: 'canceled' } }) },
      says: 'receipt.expiredText',
    },
    'paid-late': {
      fate: {
        changed: inState(
          'expired',
          { status: 'expired' },
          { payment: { ...payment, status: 'succeeded', settled_to: 'wallet' } },
        ),
      },
      says: 'receipt.onBalanceText',
    },
    'at-operator': {
      fate: {
        changed: inState(
          'expired',
          { status: 'expired' },
          { payment: { ...payment, status: 'succeeded', settled_to: 'operator' } },
        ),
      },
      says: 'receipt.toOperator',
    },
    part: {
      fate: {
        changed: inState('awaiting_payment', {}, { from_balance: 40, payment: { ...payment, expires_at: soon } }),
      },
      says: 'receipt.partReserved',
    },
  }),
  ...when(share, '/orders/[0-9A-Z]{10}/share', {
    made: {
      fate: {
        answered: {
          link: 'https://olmos.example/shared#q7Jd3xTnW0aVb2LmKc9RzUfYhE4sPg6N',
          pin: '480213',
          expires_at: soon,
          share: { expires_at: soon, openings: 2, opened_at: '2026-11-20T10:00:00.000Z' },
        },
      },
      says: 'shared.once',
    },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  ...when(shared, '/shared-receipts', {
    busy: { fate: 'delayed', shows: busy },
    wrong: { fate: { refused: 'WRONG_PIN', details: { triesLeft: 3 } }, says: 'failure.WRONG_PIN' },
    over: { fate: { refused: 'NOT_FOUND' }, says: 'shared.overText' },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'failure.RATE_LIMITED' },
    opened: {
      fate: {
        answered: {
          expires_at: soon,
          items: [
            {
              id: 1,
              item_type: 'code',
              quantity: 2,
              game_amount: 1_000,
              game_currency: 'Robux',
              status: 'delivered',
              region: null,
              product: {
                title: 'Roblox',
                description: '',
                image_url: '/art/cards/roblox.svg',
                color: '#e8e8e4',
                activation_instructions: '1. roblox.com/redeem',
              },
              code: 'RBX-7F3K-9QTX-22LM\nRBX-1B8D-5WZC-40NP',
              codes: ['RBX-7F3K-9QTX-22LM', 'RBX-1B8D-5WZC-40NP'],
              withheld_codes: 0,
              held_codes: 0,
            },
          ],
        },
      },
      shows: 'main code',
    },
  }),
  { name: 'shared-empty', path: '/shared#any-token', prepare: submit, says: 'field.required' },
  ...when(password, '/profile/password', {
    busy: { fate: 'delayed', shows: busy },
    refused: {
      fate: { refused: 'VALIDATION_FAILED', details: { currentPassword: 'invalid_credentials' } },
      says: 'field.invalid_credentials',
    },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  ...when({ name: 'profile-balance', path: '/profile', as: 'customer' }, '/balance', {
    failed: { fate: broken, says: 'profile.balanceFailed' },
  }),
  ...when({ name: 'profile-history', path: '/profile', as: 'customer' }, '/balance/history', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    failed: { fate: broken, says: 'profile.historyFailed' },
  }),
  ...when({ name: 'profile-sessions', path: '/profile', as: 'customer' }, '/profile/sessions', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    failed: { fate: broken, says: 'sessions.failed' },
  }),
  ...when(
    {
      name: 'profile-fill',
      path: '/profile',
      as: 'customer',
      prepare: (page, text) => press(page, text('fill.title')),
    },
    '/balance/filling-terms',
    {
      open: {
        fate: {
          answered: {
            is_on: true,
            bounds: [
              { currency: 'RUB', least: 100, most: 40_000 },
              { currency: 'USD', least: 1, most: 500 },
            ],
          },
        },
        says: 'topUp.amount',
      },
    },
  ),
  { name: 'password-empty', path: '/new-password', as: 'customer', prepare: submit, says: 'field.required' },
  ...when(topUp, '/balance/topup', {
    busy: { fate: 'delayed', shows: busy },
    refused: {
      fate: { refused: 'VALIDATION_FAILED', details: { amount: 'invalid' } },
      says: 'topUp.invalidAmount',
    },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  { name: 'recover-empty', path: '/recover', prepare: submit, says: 'field.required' },
  ...when(recover, '/support/recovery', {
    busy: { fate: 'delayed', shows: busy },
    sent: {
      fate: { answered: { success: true, link: 'https://olmos.example/conversation#q7Jd3xTnW0aVb2LmKc9RzUfY' } },
      says: 'recover.sentText',
    },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'recover.failed' },
  }),
  ...when(write, '/support', {
    busy: { fate: 'delayed', shows: busy },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'support.failed' },
    failed: { fate: broken, says: 'support.failed' },
  }),
]

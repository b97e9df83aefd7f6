import { paymentMarks } from '@olmos/contract/orders'
import type { OfferedMethod } from '@olmos/contract/payments'
import { act, askForPlayer, chooseDiamonds, fill, main, openTopUp, type Screen, submit, typeSteam } from './screen.ts'

const broken = { refused: 'UNEXPECTED_ERROR' } as const
const everything = '/.*'

/** What has nothing to show before an answer comes. */
const loaded: Screen[] = [
  { name: 'cart', path: '/cart', as: 'customer', says: 'cart.failed' },
  { name: 'checkout', path: '/checkout', as: 'customer', says: 'cart.failed' },
  { name: 'orders', path: '/orders', as: 'customer', says: 'orders.failed' },
  { name: 'receipt', path: ({ receipt }) => `/orders/${receipt}`, as: 'customer', says: 'receipt.failed' },
  { name: 'profile', path: '/profile', as: 'customer', says: 'profile.failed' },
  { name: 'card-payment', path: ({ payUrl }) => new URL(payUrl).pathname, as: 'customer', says: 'sandbox.failed' },
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
const find: Screen = { name: 'player', path: '/products/pubg', prepare: (page) => askForPlayer(page) }
const activate: Screen = {
  name: 'activation',
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
const fromBalance: Screen = { name: 'balance', path: '/checkout', as: 'customer', prepare: act }
const byCard: Screen = {
  name: 'card',
  path: '/checkout',
  as: 'customer',
  prepare: (page) => main(page).locator('button.mantine-Button-root').first().click(),
}
const payTopup: Screen = {
  name: 'topup',
  path: '/products/freefire',
  as: 'customer',
  prepare: async (page) => {
    await chooseDiamonds(page)
    await act(page)
    await page.waitForURL('**/checkout')
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
  name: 'password',
  path: '/profile',
  as: 'customer',
  prepare: async (page) => {
    await fill(page, 'any-password-7', 'other-password-7', 'other-password-7')
    await submit(page)
  },
}
const topUp: Screen = {
  name: 'top-up',
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
const busy = 'button[data-loading]'

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
  { name: 'login-empty', path: '/login', prepare: submit, says: 'login.invalidCredentials' },
  { name: 'support-empty', path: '/support', prepare: submit, says: 'field.required' },
  { name: 'password-empty', path: '/profile', as: 'customer', prepare: submit, says: 'field.required' },
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
    refused: { fate: { refused: 'INVALID_CREDENTIALS' }, says: 'login.invalidCredentials' },
    unknown: { fate: { refused: 'USER_NOT_FOUND' }, says: 'login.userNotFound' },
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
  ...when(region, '/products/\\d+/codes/.*', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    failed: { fate: broken, says: 'product.packagesFailed' },
    empty: { fate: { answered: [] }, says: 'product.nothingToBuy' },
  }),
  ...when(find, '/topups/pubg/check', {
    busy: { fate: 'delayed', shows: busy },
    unknown: { fate: { refused: 'PLAYER_NOT_FOUND' }, says: 'topups.invalidId' },
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
  ...when(password, '/profile/password', {
    busy: { fate: 'delayed', shows: busy },
    refused: {
      fate: { refused: 'VALIDATION_FAILED', details: { currentPassword: 'invalid_credentials' } },
      says: 'field.invalid_credentials',
    },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  ...when({ name: 'history', path: '/profile', as: 'customer' }, '/balance/history', {
    loading: { fate: 'delayed', shows: '.mantine-Skeleton-root, .coming' },
    failed: { fate: broken, says: 'profile.historyFailed' },
  }),
  ...when(topUp, '/balance/topup', {
    busy: { fate: 'delayed', shows: busy },
    refused: {
      fate: { refused: 'VALIDATION_FAILED', details: { amount: 'invalid' } },
      says: 'topUp.invalidAmount',
    },
    failed: { fate: broken, says: 'failure.UNEXPECTED_ERROR' },
  }),
  ...when(write, '/support', {
    busy: { fate: 'delayed', shows: busy },
    slowed: { fate: { refused: 'RATE_LIMITED' }, says: 'support.failed' },
    failed: { fate: broken, says: 'support.failed' },
  }),
]

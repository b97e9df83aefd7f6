import type { Page } from 'playwright'
import {
  act,
  chooseDiamonds,
  fill,
  findPlayer,
  main,
  openDialog,
  openTopUp,
  type Screen,
  submit,
  typeSteam,
} from './screen.ts'

const openPicker = (page: Page) => page.locator('header button[aria-haspopup=menu]').click()
const reveal = (page: Page) => main(page).locator('[data-reveal]').click()

/** What a customer sees, in the order of the specification. */
export const customerScreens: Screen[] = [
  { name: 'home', path: '/' },
  {
    name: 'menu',
    path: '/',
    as: 'customer',
    only: 'phone',
    prepare: (page) => page.locator('header button[aria-haspopup=dialog]').click(),
    says: 'header.closeMenu',
  },
  { name: 'locale', path: '/products', prepare: openPicker, shows: '[role=menu]' },

  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'register-wrong', path: '/register', prepare: submit, says: 'field.nickname_too_short' },

  { name: 'products', path: '/products' },
  { name: 'products-nothing', path: '/products?search=tetris', says: 'products.nothing' },
  { name: 'product', path: '/products/roblox' },
  {
    name: 'product-added',
    path: '/products/roblox',
    as: 'newcomer',
    calls: { '/cart/add': { answered: { success: true, data: { quantity: 1 } } } },
    prepare: act,
    says: 'product.added',
  },
  { name: 'product-regions', path: '/products/playstation' },
  { name: 'product-missing', path: '/products/no-such-product', says: 'product.notFound' },

  { name: 'freefire', path: '/products/freefire' },
  { name: 'freefire-chosen', path: '/products/freefire', as: 'customer', prepare: chooseDiamonds },
  { name: 'freefire-activate', path: '/products/freefire?tab=activate', says: 'topups.freefire.activateNow' },
  { name: 'pubg', path: '/products/pubg' },
  {
    name: 'pubg-chosen',
    path: '/products/pubg',
    as: 'customer',
    prepare: async (page) => {
      await main(page).locator('input[inputmode=numeric]:not([name])').fill('1000')
      await findPlayer(page)
    },
    says: 'topups.playerFound',
  },
  { name: 'steam', path: '/products/steam' },
  {
    name: 'steam-chosen',
    path: '/products/steam',
    as: 'customer',
    prepare: typeSteam,
    shows: '[data-thumb-bar] button:not(:disabled)',
  },
  {
    name: 'steam-help',
    path: '/products/steam',
    prepare: (page) => main(page).locator('button.mantine-Anchor-root').click(),
    says: 'topups.steam.helpOpen',
  },

  { name: 'cart', path: '/cart', as: 'customer', says: 'cart.subtotalRub' },
  { name: 'cart-clear', path: '/cart', as: 'customer', prepare: openDialog, says: 'cart.clearText' },
  { name: 'cart-empty', path: '/cart', as: 'newcomer', says: 'cart.emptyText' },

  { name: 'checkout', path: '/checkout', as: 'customer', says: 'checkout.payment' },
  {
    name: 'checkout-topup',
    path: '/products/freefire',
    as: 'customer',
    prepare: async (page) => {
      await chooseDiamonds(page)
      await act(page)
    },
    says: 'checkout.payment',
  },
  { name: 'checkout-empty', path: '/checkout', as: 'newcomer', says: 'checkout.empty' },
  {
    name: 'card-payment',
    path: ({ payUrl }) => new URL(payUrl).pathname,
    as: 'customer',
    says: 'sandbox.act.decline',
  },

  { name: 'orders', path: '/orders', as: 'customer', says: 'orders.more' },
  { name: 'orders-nothing', path: '/orders?search=ZZZZ', as: 'customer', says: 'orders.nothingText' },
  { name: 'orders-empty', path: '/orders', as: 'newcomer', says: 'orders.empty' },

  { name: 'receipt', path: ({ receipt }) => `/orders/${receipt}`, as: 'customer', says: 'receipt.show' },
  {
    name: 'receipt-codes',
    path: ({ receipt }) => `/orders/${receipt}`,
    as: 'customer',
    prepare: reveal,
    says: 'receipt.copyAll',
  },
  {
    name: 'receipt-print',
    path: ({ receipt }) => `/orders/${receipt}`,
    as: 'customer',
    only: 'desktop',
    prepare: async (page) => {
      await reveal(page)
      await page.emulateMedia({ media: 'print' })
    },
    says: 'product.instructions',
  },
  { name: 'receipt-awaiting', path: ({ awaiting }) => `/orders/${awaiting}`, as: 'customer', says: 'receipt.awaiting' },
  {
    name: 'receipt-topup',
    path: ({ topups }) => `/orders/${topups.delivered}`,
    as: 'customer',
    says: 'topups.steps.name.delivered',
  },
  {
    name: 'receipt-on-its-way',
    path: ({ topups }) => `/orders/${topups.silent}`,
    as: 'customer',
    says: 'topups.steps.name.sent',
  },
  {
    name: 'receipt-refunded',
    path: ({ topups }) => `/orders/${topups.refused}`,
    as: 'customer',
    says: 'receipt.refundedText',
  },
  { name: 'receipt-missing', path: '/orders/0000000000', as: 'customer', says: 'receipt.notFound' },

  { name: 'profile', path: '/profile', as: 'customer', says: 'profile.topUpSoon' },
  { name: 'profile-new', path: '/profile', as: 'newcomer', says: 'profile.historyEmpty' },
  { name: 'profile-top-up', path: '/profile', as: 'admin', prepare: openTopUp, says: 'topUp.cardNote' },

  { name: 'support', path: '/support' },
  {
    name: 'support-answer',
    path: '/support',
    as: 'customer',
    prepare: async (page) => {
      for (const question of await main(page).locator('summary').all()) await question.click()
    },
    says: 'support.directAnswer',
  },
  {
    name: 'support-thanks',
    path: '/support',
    as: 'customer',
    calls: { '/support': { answered: { success: true } } },
    prepare: async (page) => {
      await fill(page, 'Salom', '', 'Kamila', '42')
      await submit(page)
    },
    says: 'support.thanks',
  },

  { name: 'not-found', path: '/no/such/page', says: 'notFound.title' },
  { name: 'offline', path: '/offline.html', says: 'offline.title' },
]

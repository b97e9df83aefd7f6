import type { Page } from 'playwright'
import {
  act,
  chooseDiamonds,
  fill,
  findPlayer,
  main,
  openDialog,
  openTopUp,
  press,
  rate,
  type Screen,
  scrollToReviews,
  submit,
  typeSteam,
} from './screen.ts'

const openPicker = (page: Page) => page.locator('header button[aria-haspopup=menu]').click()
const openMenu = (page: Page) => page.locator('header button[aria-haspopup=dialog]').click()
const reveal = (page: Page) => main(page).locator('[data-reveal]').click()

/** Accounts of a game as a browser keeps them from purchases before, the latest first. */
const keepPlayers = (slug: string, ...names: string[]) => ({
  [`accounts:${slug}`]: JSON.stringify(names.map((name) => ({ account: { player_id: `512${name.slice(-4)}` }, name }))),
})

/** What a customer sees, in the order of the specification. */
export const customerScreens: Screen[] = [
  { name: 'home', path: '/' },
  {
    name: 'menu',
    path: '/',
    as: 'customer',
    only: 'phone',
    prepare: openMenu,
    says: 'header.closeMenu',
  },
  { name: 'menu-visitor', path: '/products', only: 'phone', prepare: openMenu, says: 'header.closeMenu' },
  { name: 'locale', path: '/products', prepare: openPicker, shows: '[role=menu]' },

  { name: 'login', path: '/login' },
  { name: 'register', path: '/register' },
  { name: 'register-wrong', path: '/register', prepare: submit, says: 'field.nickname_too_short' },

  { name: 'products', path: '/products' },
  { name: 'products-searched', path: '/products?search=rbolox', says: 'products.cards' },
  { name: 'products-filtered', path: '/products?kind=code', shows: 'main button[aria-pressed=true]' },
  { name: 'products-region', path: '/products?region=1', shows: 'main button[aria-pressed=true]' },
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
  { name: 'product-few', path: '/products/mobile-legends?amount=5532&quantity=90', says: 'product.maxQuantity' },
  { name: 'product-sold-out', path: '/products/mobile-legends?amount=9288', says: 'product.choiceGone' },
  {
    name: 'product-buy-now',
    path: '/products/roblox',
    as: 'customer',
    prepare: (page, text) => press(page, text('product.buyNow')),
    says: 'buyNow.left',
  },
  {
    name: 'product-reviews',
    path: '/products/telegram',
    prepare: scrollToReviews,
    says: 'reviews.answer',
  },
  { name: 'product-missing', path: '/products/no-such-product', says: 'product.notFound' },

  { name: 'freefire', path: '/products/freefire' },
  { name: 'freefire-chosen', path: '/products/freefire', as: 'customer', prepare: chooseDiamonds },
  {
    name: 'freefire-known',
    path: '/products/freefire',
    kept: keepPlayers('freefire', 'Player_3456'),
    says: 'topups.change',
  },
  {
    name: 'freefire-several',
    path: '/products/freefire',
    as: 'customer',
    kept: keepPlayers('freefire', 'Player_3456', 'Player_2211', 'Player_7700'),
    says: 'topups.recent',
  },
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
  {
    name: 'pubg-cheaper',
    path: '/products/pubg',
    prepare: (page) => main(page).locator('input[inputmode=numeric]:not([name])').fill('300'),
    says: 'topups.pubg.takeCheaper',
  },
  { name: 'genshin', path: '/products/genshin-topup' },
  {
    name: 'genshin-wrong',
    path: '/products/genshin-topup',
    as: 'newcomer',
    prepare: act,
    says: 'topups.chooseOption',
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
  {
    name: 'checkout-dollars',
    path: '/checkout',
    as: 'customer',
    prepare: (page) => main(page).getByRole('radio').nth(1).click(),
    says: 'checkout.payment',
  },
  { name: 'checkout-empty', path: '/checkout', as: 'newcomer', says: 'checkout.empty' },
  {
    name: 'bank',
    path: ({ payUrl }) => new URL(payUrl).pathname,
    as: 'customer',
    says: 'sandbox.act.decline',
  },

  { name: 'orders', path: '/orders', as: 'customer', says: 'orders.more' },
  {
    name: 'orders-all',
    path: '/orders',
    as: 'customer',
    prepare: (page, text) => press(page, text('orders.more')),
    says: 'orders.title',
  },
  { name: 'orders-completed', path: '/orders?state=completed', as: 'customer', says: 'orders.status.completed' },
  { name: 'orders-shelf-empty', path: '/orders?state=expired', as: 'customer', says: 'orders.shelf.nothingText' },
  {
    name: 'orders-paid',
    path: '/orders',
    as: 'customer',
    handed: ({ receipt }) => ({ paid: receipt }),
    says: 'receipt.ready',
  },
  {
    name: 'orders-paid-shown',
    path: '/orders',
    as: 'customer',
    handed: ({ receipt }) => ({ paid: receipt }),
    prepare: (page, text) => press(page, text('receipt.revealCode')),
    shows: 'main code',
  },
  {
    name: 'orders-paid-topup',
    path: '/orders',
    as: 'customer',
    handed: ({ topups }) => ({ paid: topups.silent }),
    says: 'topups.steps.name.sent',
  },
  {
    name: 'orders-paid-delivered',
    path: '/orders',
    as: 'customer',
    handed: ({ topups }) => ({ paid: topups.delivered }),
    says: 'receipt.done',
  },
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
  {
    name: 'receipt-share',
    path: ({ receipt }) => `/orders/${receipt}`,
    as: 'customer',
    prepare: (page, text) => press(page, text('shared.give')),
    says: 'shared.make',
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
  {
    name: 'receipt-review',
    path: ({ receipt }) => `/orders/${receipt}`,
    as: 'customer',
    prepare: rate,
    says: 'reviews.textHint',
  },
  { name: 'receipt-reviewed', path: ({ reviewed }) => `/orders/${reviewed}`, as: 'customer', says: 'reviews.answer' },
  {
    name: 'receipt-review-changed',
    path: ({ reviewed }) => `/orders/${reviewed}`,
    as: 'customer',
    prepare: (page, text) => press(page, text('reviews.edit')),
    says: 'reviews.cancel',
  },
  { name: 'receipt-missing', path: '/orders/0000000000', as: 'customer', says: 'receipt.notFound' },

  { name: 'shared', path: '/shared#any-token', says: 'shared.text' },

  { name: 'profile', path: '/profile', as: 'customer', says: 'profile.topUpSoon' },
  { name: 'profile-new', path: '/profile', as: 'newcomer', says: 'profile.historyEmpty' },
  {
    name: 'profile-contact',
    path: '/profile',
    as: 'newcomer',
    prepare: (page, text) => press(page, text('contact.add')),
    says: 'contact.field',
  },
  { name: 'profile-top-up', path: '/profile', as: 'admin', prepare: openTopUp, says: 'topUp.cardNote' },

  { name: 'password', path: '/new-password', as: 'customer', says: 'newPassword.text' },
  { name: 'recover', path: '/recover', says: 'recover.text' },

  { name: 'support', path: '/support' },
  {
    name: 'support-order',
    path: ({ receipt }) => `/support?order=${receipt}`,
    as: 'customer',
    says: 'support.order',
  },
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
    calls: { '/support': { answered: { success: true, id: 17, link: null } } },
    prepare: async (page) => {
      await fill(page, 'Salom', '', 'Kamila', '42')
      await submit(page)
    },
    says: 'support.thanks',
  },

  { name: 'conversation-over', path: '/conversation', says: 'talk.over' },
  { name: 'notifications-decline', path: '/notifications', says: 'notifications.declineText' },
  { name: 'missing', path: '/no/such/page', says: 'notFound.title' },
  { name: 'offline', path: '/offline.html', says: 'offline.title' },
]

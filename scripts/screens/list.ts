import type { Page } from 'playwright'
import type { World } from './world.ts'

export interface Screen {
  name: string
  path: string | ((world: World) => string)
  /** Who looks; a visitor when left out. */
  as?: 'customer' | 'newcomer' | 'admin'
  /** What is pressed before the picture is taken, in words of no language. */
  prepare?(page: Page): Promise<void>
  /** Only on a phone. */
  isPhoneOnly?: true
}

const main = (page: Page) => page.locator('main')
const submit = (page: Page) => main(page).locator('button[type=submit]').click()

/** Of running the store from day to day. */
const operatorTabs = [
  'orders',
  'users',
  'currencyRates',
  'dashboard',
  'support',
  'payments',
  'deliveries',
  'suppliers',
  'audit',
  'ledger',
  'security',
]

/** Every screen of the store, in the order of the specification. */
export const screens: Screen[] = [
  { name: 'home', path: '/' },
  {
    name: 'menu',
    path: '/',
    as: 'customer',
    isPhoneOnly: true,
    prepare: (page) => page.locator('header button[aria-haspopup=dialog]').click(),
  },
  { name: 'language', path: '/', prepare: (page) => page.locator('header button[aria-haspopup=menu]').first().click() },
  { name: 'products', path: '/products' },
  { name: 'products-nothing', path: '/products?search=tetris' },
  { name: 'product', path: '/products/roblox' },
  { name: 'product-regions', path: '/products/playstation' },
  { name: 'product-missing', path: '/products/no-such-product' },
  { name: 'pubg', path: '/products/pubg' },
  { name: 'freefire', path: '/products/freefire' },
  { name: 'freefire-activate', path: '/products/freefire?tab=activate' },
  { name: 'steam', path: '/products/steam' },
  { name: 'login', path: '/login' },
  { name: 'register', path: '/register', prepare: submit },
  { name: 'cart', path: '/cart', as: 'customer' },
  {
    name: 'cart-clear',
    path: '/cart',
    as: 'customer',
    prepare: (page) => main(page).locator('button[aria-haspopup=dialog]').click(),
  },
  { name: 'cart-empty', path: '/cart', as: 'newcomer' },
  { name: 'checkout', path: '/checkout', as: 'customer' },
  { name: 'checkout-empty', path: '/checkout', as: 'newcomer' },
  { name: 'card-payment', path: (world) => new URL(world.payUrl).pathname, as: 'customer' },
  { name: 'orders', path: '/orders', as: 'customer' },
  { name: 'orders-nothing', path: '/orders?search=ZZZZ', as: 'customer' },
  { name: 'orders-empty', path: '/orders', as: 'newcomer' },
  {
    name: 'receipt',
    path: (world) => `/orders/${world.receipt}`,
    as: 'customer',
    prepare: (page) => main(page).locator('button').first().click(),
  },
  { name: 'receipt-awaiting', path: (world) => `/orders/${world.awaiting}`, as: 'customer' },
  { name: 'receipt-missing', path: '/orders/0000000000', as: 'customer' },
  { name: 'profile', path: '/profile', as: 'customer' },
  {
    name: 'profile-top-up',
    path: '/profile',
    as: 'admin',
    prepare: (page) => main(page).locator('button[aria-haspopup=dialog]').click(),
  },
  { name: 'support', path: '/support', as: 'customer' },
  ...operatorTabs.map((tab) => ({ name: `admin-${tab}`, path: `/admin/${tab}`, as: 'admin' as const })),
  { name: 'admin-order', path: (world) => `/admin/orders?order=${world.receipt}`, as: 'admin' },
  { name: 'admin-user', path: (world) => `/admin/users?user=${world.customer.userId}`, as: 'admin' },
  { name: 'not-found', path: '/no/such/page' },
]

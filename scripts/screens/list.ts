import type { Page } from 'playwright'
import { customerScreens } from './customer.ts'
import { main, type Screen } from './screen.ts'

/** Opens the form of the first row. */
const edit = (page: Page) => main(page).locator('tbody tr td:last-child button').first().click()

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

/** What an operator sees, tab by tab. */
const operatorScreens: Screen[] = [
  { name: 'admin-products', path: '/admin/products', as: 'admin' },
  { name: 'admin-product', path: '/admin/products?search=playstation', as: 'admin', prepare: (page) => edit(page) },
  {
    name: 'admin-packages',
    path: '/admin/products?search=playstation',
    as: 'admin',
    prepare: (page) => main(page).locator('tbody td a').first().click(),
  },
  { name: 'admin-codes', path: '/admin/codes', as: 'admin' },
  { name: 'admin-import', path: '/admin/codes?import', as: 'admin' },
  { name: 'admin-recall', path: '/admin/codes?recall=1', as: 'admin' },
  { name: 'admin-promotions', path: '/admin/promotions', as: 'admin' },
  { name: 'admin-promotion', path: '/admin/promotions', as: 'admin', prepare: (page) => edit(page) },
  { name: 'admin-regions', path: '/admin/regions', as: 'admin' },
  ...operatorTabs.map((tab) => ({ name: `admin-${tab}`, path: `/admin/${tab}`, as: 'admin' as const })),
  { name: 'admin-order', path: (world) => `/admin/orders?order=${world.receipt}`, as: 'admin' },
  { name: 'admin-user', path: (world) => `/admin/users?user=${world.customer.userId}`, as: 'admin' },
]

/** Every screen of the store. */
export const screens: Screen[] = [...customerScreens, ...operatorScreens]

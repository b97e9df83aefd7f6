import type { Page } from 'playwright'
import { tabs } from '../../web/app/admin/tabs.ts'
import { customerScreens } from './customer.ts'
import { main, type Screen } from './screen.ts'

/** Opens the form of the first row. */
const edit = (page: Page) => main(page).locator('tbody tr td:last-child button').first().click()

/** What an operator sees: every tab, and some of what opens on them. */
const operatorScreens: Screen[] = [
  ...tabs.map(({ name }) => ({ name: `admin-${name}`, path: `/admin/${name}`, as: 'admin' as const })),
  { name: 'admin-product', path: '/admin/products?search=playstation', as: 'admin', prepare: (page) => edit(page) },
  {
    name: 'admin-packages',
    path: '/admin/products?search=playstation',
    as: 'admin',
    prepare: (page) => main(page).locator('tbody td a').first().click(),
  },
  { name: 'admin-import', path: '/admin/codes?import', as: 'admin' },
  { name: 'admin-recall', path: '/admin/codes?recall=1', as: 'admin' },
  { name: 'admin-promotion', path: '/admin/promotions', as: 'admin', prepare: (page) => edit(page) },
  { name: 'admin-order', path: (world) => `/admin/orders?order=${world.receipt}`, as: 'admin' },
  { name: 'admin-user', path: (world) => `/admin/users?user=${world.customer.userId}`, as: 'admin' },
]

/** Every screen of the store. */
export const screens: Screen[] = [...customerScreens, ...operatorScreens]

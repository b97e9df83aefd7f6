import type { Currency } from '@olmos/contract/money'
import type { PageName } from '@olmos/contract/pages'

/** Every link of the store. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  newPassword: '/new-password',
  recover: '/recover',
  products: '/products',
  /** The catalogue with products of one kind. */
  productsOf: (kind: 'topup' | 'code') => `/products?kind=${kind}`,
  product: (slug: string) => `/products/${slug}`,
  cart: '/cart',
  checkout: '/checkout',
  orders: '/orders',
  order: (id: string) => `/orders/${id}`,
  profile: '/profile',
  /** Where the balance is filled; an amount in major units is proposed. */
  fill: (currency: Currency, amount: number) => `/profile?fill=${currency}&amount=${amount.toFixed(2)}`,
  support: '/support',
  /** A conversation of a customer. */
  conversation: (id: number) => `/support/${id}`,
  /** A visitor's, which is named behind the #. */
  linkedConversation: '/conversation',
  /** A part of the support page. */
  supportAbout: (what: 'ids' | 'refunds') => `/support#${what}`,
  /** A page that the owner wrote. */
  page: (name: PageName) => `/pages/${name}`,
  admin: (tab?: string) => (tab ? `/admin/${tab}` : '/admin'),
}

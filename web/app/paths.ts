/** Every link of the store. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  newPassword: '/new-password',
  products: '/products',
  product: (slug: string) => `/products/${slug}`,
  cart: '/cart',
  checkout: '/checkout',
  orders: '/orders',
  order: (id: string) => `/orders/${id}`,
  profile: '/profile',
  support: '/support',
  admin: (tab?: string) => (tab ? `/admin/${tab}` : '/admin'),
}

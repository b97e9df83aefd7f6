import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('pages/Home.tsx'),
  route('login', 'pages/Login.tsx'),
  route('register', 'pages/Register.tsx'),
  route('new-password', 'pages/NewPassword.tsx'),
  route('products', 'pages/ProductList.tsx'),
  route('products/freefire', 'pages/FreeFire.tsx'),
  route('products/pubg', 'pages/Pubg.tsx'),
  route('products/steam', 'pages/Steam.tsx'),
  route('products/:slug', 'pages/ProductPage.tsx'),
  route('cart', 'pages/Cart.tsx'),
  route('checkout', 'pages/Checkout.tsx'),
  route('orders', 'pages/Orders.tsx'),
  route('orders/:id', 'pages/Receipt.tsx'),
  route('profile', 'pages/Profile.tsx'),
  route('support', 'pages/Support.tsx'),
  route('admin/:tab?', 'admin/Admin.tsx'),
  route('sandbox/pay/:id', 'pages/SandboxPay.tsx'),
  route('offline.html', 'pages/offline.ts'),
  route('*', 'pages/Missing.tsx'),
] satisfies RouteConfig

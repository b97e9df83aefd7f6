import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('pages/Home.tsx'),
  route('products', 'pages/ProductList.tsx'),
  route('products/:slug', 'pages/ProductPage.tsx'),
  layout('pages/layout/WholePage.tsx', [
    route('login', 'pages/Login.tsx'),
    route('register', 'pages/Register.tsx'),
    route('new-password', 'pages/NewPassword.tsx'),
    route('recover', 'pages/Recover.tsx'),
    // The specification's games; every other one comes to the route of all products.
    route('products/freefire', 'pages/TopupPage.tsx', { id: 'freefire' }),
    route('products/pubg', 'pages/TopupPage.tsx', { id: 'pubg' }),
    route('products/steam', 'pages/TopupPage.tsx', { id: 'steam' }),
    route('cart', 'pages/Cart.tsx'),
    route('checkout', 'pages/Checkout.tsx'),
    route('orders', 'pages/Orders.tsx'),
    route('orders/:id', 'pages/Receipt.tsx'),
    route('shared', 'pages/SharedReceipt.tsx'),
    route('profile', 'pages/Profile.tsx'),
    route('pages/:name', 'pages/OwnPage.tsx'),
    route('support', 'pages/Support.tsx'),
    route('support/:id', 'pages/OwnConversation.tsx'),
    route('notifications', 'pages/DeclineNotifications.tsx'),
    route('conversation', 'pages/LinkedConversation.tsx'),
    route('admin/:tab?', 'admin/Admin.tsx'),
    route('sandbox/pay/:id', 'pages/SandboxPay.tsx'),
  ]),
  route('offline.html', 'pages/offline.ts'),
  route('*', 'pages/Missing.tsx'),
] satisfies RouteConfig

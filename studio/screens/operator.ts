import type { ListedReview } from '@olmos/contract/reviews'
import type { Page } from 'playwright'
import { main, type Screen } from '../../proof/e2e/screens/screen.ts'

/** Opens the form of the first row. */
export const edit = (page: Page) => main(page).locator('tbody button:has(.tabler-icon-pencil)').first().click()
const remove = (page: Page) => main(page).locator('tbody tr td:last-child button').last().click()
/** The button that adds to the list. */
export const add = (page: Page) => main(page).locator('button:has(.tabler-icon-plus)').first().click()

const broken = { refused: 'UNEXPECTED_ERROR' } as const

const lines = ['JUPITER-1,4.99,399,1000', 'JUPITER-2,4.99,399,1000', 'JUPITER-1,4.99,399,1000', 'MARS;2.49;199;475']

/** Checks a list that has every kind of line in it. */
async function preview(page: Page): Promise<void> {
  await main(page).locator('fieldset select').first().selectOption({ index: 1 })
  await main(page).locator('textarea').first().fill(lines.join('\n'))
  await main(page).locator('fieldset button.mantine-Button-root').last().click()
  await main(page).locator('[role=region][tabindex]').waitFor()
}

const alert = (id: number, kind: string, subject: string, details: object) => ({
  id,
  kind,
  subject,
  details,
  state: 'open',
  created_at: '2026-11-21T02:14:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
  resolved_by: null,
})
const alerts = {
  data: [
    alert(3, 'supplier.float', 'fazercards', { amount: 4_120, currency: 'USD' }),
    alert(2, 'delivery.stuck', 'delivery:41', { order: '7K2M9PQRST', why: 'timeout', minutes: 15 }),
    alert(1, 'payment.paid_before', 'payment:12', {
      order: '3F8ZWXY1AB',
      provider: 'yookassa',
      asked: { amount: 89_900, currency: 'RUB' },
      paid: { amount: 89_900, currency: 'RUB' },
    }),
  ],
  total: 3,
}

const review: ListedReview = {
  id: 41,
  order_id: '7K2M9PQRST',
  product: { id: 1, slug: 'roblox', title: 'Roblox', is_deleted: false },
  user_id: 7,
  nickname: 'Kamila_2007',
  stars: 5,
  text: '',
  created_at: '2026-11-21T02:14:00.000Z',
  changed_at: null,
  withdrawn_at: null,
  answer: null,
  answered_by: null,
  answered_at: null,
  hidden_reason: null,
  hidden_by: null,
  hidden_at: null,
  version: 1,
}

/** Reviews in each state: of many words, hidden, answered, withdrawn, and of no words. */
const reviews = [
  {
    stars: 2,
    nickname: 'Valijon_Xudoyberdiyev_Samarqand0',
    text: 'Код пришёл только через час, поддержка отвечала долго. '.repeat(8).trim(),
  },
  {
    stars: 1,
    text: 'Продаю аккаунты, пишите в Telegram',
    hidden_at: '2026-11-21T03:00:00.000Z',
    hidden_by: 'Dilnoza_support',
    hidden_reason: 'Реклама',
  },
  {
    text: 'Kod darhol keldi, rahmat.',
    answer: 'Рады, что всё получилось.',
    answered_by: 'Dilnoza_support',
    answered_at: '2026-11-21T03:00:00.000Z',
  },
  { stars: 4, withdrawn_at: '2026-11-21T03:00:00.000Z' },
  { stars: 3, product: { ...review.product, is_deleted: true } },
].map((more, at) => ({ ...review, id: 50 - at, ...more }))
const listed = { '/admin/reviews(\\?.*)?$': { answered: { data: reviews, total: reviews.length } } }
/** The nickname of the first row opens the review. */
const openReview = (page: Page) => main(page).locator('tbody button').first().click()

/** What an operator sees, tab by tab. */
export const operatorScreens: Screen[] = (
  [
    { name: 'products', path: '/admin/products' },
    { name: 'product', path: '/admin/products?search=playstation', prepare: edit },
    { name: 'product-remove', path: '/admin/products?search=playstation', prepare: remove },
    { name: 'product-order', path: '/admin/products?arrange' },
    { name: 'products-empty', path: '/admin/products?search=nothing-like-it' },
    { name: 'topup', path: '/admin/products?search=genshin-topup', prepare: edit },
    {
      name: 'topup-fields',
      path: '/admin/products?search=genshin-topup',
      prepare: (page) => main(page).locator('a:has(.tabler-icon-forms)').first().click(),
    },
    {
      name: 'packages',
      path: '/admin/products?search=playstation',
      prepare: (page) => main(page).locator('tbody td a').first().click(),
    },
    { name: 'package', path: '/admin/products?product=5', prepare: add },
    { name: 'package-remove', path: '/admin/products?product=5', prepare: remove },
    { name: 'orders', path: '/admin/orders' },
    {
      name: 'orders-filters',
      path: '/admin/orders',
      prepare: async (page) => {
        const closed = main(page).locator('button[aria-expanded=false]:visible')
        // On a phone one button hides the other.
        while ((await closed.count()) > 0) await closed.first().click()
      },
    },
    { name: 'orders-failed', path: '/admin/orders', calls: { '/admin/orders(\\?.*)?$': broken } },
    { name: 'orders-loading', path: '/admin/orders', calls: { '/admin/orders(\\?.*)?$': 'delayed' } },
    { name: 'order-topup', path: (world) => `/admin/orders?order=${world.topups.silent}` },
    {
      name: 'order-refund',
      path: (world) => `/admin/orders?order=${world.receipt}`,
      prepare: (page) => page.locator('[role=dialog] button.mantine-Button-root').first().click(),
    },
    { name: 'order', path: (world) => `/admin/orders?order=${world.receipt}` },
    { name: 'users', path: '/admin/users' },
    { name: 'user', path: (world) => `/admin/users?user=${world.customer.userId}` },
    { name: 'codes', path: '/admin/codes' },
    { name: 'code', path: '/admin/codes', prepare: add },
    { name: 'import', path: '/admin/codes?import', prepare: preview },
    { name: 'recall', path: '/admin/codes?recall=1' },
    { name: 'generatedCodes', path: '/admin/generatedCodes' },
    {
      name: 'generate',
      path: '/admin/generatedCodes',
      prepare: (page) => main(page).locator('button:has(.tabler-icon-sparkles)').click(),
    },
    { name: 'promotions', path: '/admin/promotions' },
    { name: 'promotion', path: '/admin/promotions', prepare: edit },
    { name: 'regions', path: '/admin/regions' },
    { name: 'region-remove', path: '/admin/regions', prepare: remove },
    {
      name: 'currencyRates',
      path: '/admin/currencyRates',
      prepare: (page) => main(page).locator('button[aria-expanded]').first().click(),
    },
    { name: 'pubgCodes', path: '/admin/pubgCodes' },
    { name: 'pubgDenominations', path: '/admin/pubgCodes?view=denominations' },
    { name: 'freefireCodes', path: '/admin/freefireCodes' },
    { name: 'dashboard', path: '/admin/dashboard' },
    {
      name: 'alerts',
      path: '/admin/alerts',
      calls: {
        '/admin/alerts/count': { answered: { data: { open: 3, only_here: 3 } } },
        '/admin/alerts(\\?.*)?$': { answered: alerts },
      },
    },
    { name: 'support', path: '/admin/support' },
    {
      name: 'conversation',
      path: '/admin/support',
      prepare: (page) => main(page).locator('tbody button').first().click(),
      shows: 'main textarea',
    },
    { name: 'coupons-empty', path: '/admin/coupons' },
    { name: 'coupon-new', path: '/admin/coupons', prepare: add },
    { name: 'reviews', path: '/admin/reviews', calls: listed },
    { name: 'reviews-empty', path: '/admin/reviews?filter=withdrawn' },
    { name: 'reviews-failed', path: '/admin/reviews', calls: { '/admin/reviews(\\?.*)?$': broken } },
    {
      name: 'review',
      path: '/admin/reviews',
      calls: listed,
      prepare: openReview,
      shows: '[role=dialog] textarea',
    },
    {
      name: 'review-refused',
      path: '/admin/reviews',
      calls: {
        ...listed,
        '/admin/reviews/\\d+/answer': {
          refused: 'STATE_CONFLICT',
          details: { reason: 'changed_meanwhile', current: { ...review, answer: 'Спасибо за отзыв!', version: 2 } },
        },
      },
      prepare: async (page) => {
        await openReview(page)
        await page.locator('[role=dialog] textarea').fill('Спасибо!')
        await page.locator('[role=dialog] button[type=submit]').click()
      },
      shows: '[role=alert]',
    },
    {
      name: 'review-hide',
      path: '/admin/reviews',
      calls: listed,
      prepare: (page) => main(page).locator('tbody button.mantine-Button-root').first().click(),
      shows: '[role=dialog]',
    },
    { name: 'payments', path: '/admin/payments' },
    { name: 'paymentMethods', path: '/admin/paymentMethods' },
    { name: 'fiscalReceipts', path: '/admin/fiscalReceipts' },
    { name: 'deliveries', path: '/admin/deliveries' },
    { name: 'suppliers', path: '/admin/suppliers' },
    { name: 'catalogue', path: '/admin/suppliers?catalogue=sandbox' },
    { name: 'catalogue-changes', path: '/admin/suppliers?catalogue=sandbox&view=changes' },
    { name: 'priceRules', path: '/admin/priceRules' },
    { name: 'price-rule', path: '/admin/priceRules', prepare: add },
    { name: 'offer-prices', path: '/admin/priceRules?view=packages' },
    { name: 'pending-prices', path: '/admin/priceRules?view=pending' },
    { name: 'batches', path: '/admin/batches' },
    { name: 'audit', path: '/admin/audit' },
    {
      name: 'ledger',
      path: '/admin/ledger',
      prepare: async (page) => {
        await main(page).locator('button.mantine-Button-root').last().click()
        await main(page).locator('tfoot').waitFor()
      },
    },
    { name: 'shop', path: '/admin/shop' },
    {
      name: 'shop-unreadable',
      path: '/admin/shop',
      prepare: (page) =>
        main(page).locator('form[aria-labelledby=shop-look] .mantine-ColorInput-input').nth(2).fill('#ffd400'),
    },
    { name: 'messages-nobody', path: '/admin/messages' },
    { name: 'security', path: '/admin/security' },
  ] satisfies Screen[] as Screen[]
).map((screen): Screen => ({ ...screen, name: `admin-${screen.name}`, as: 'admin' }))

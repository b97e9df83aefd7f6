import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import type { Filled } from './seed-admin.ts'

const contract = join(import.meta.dirname, '../../contract/src')

export interface Page {
  /** Below `/api`. */
  path: string
  /** What is sent, of a search that is sent. */
  body?: object
}

/** What is asked of each list for admins: as it opens, by everything its page lets one search for, and by rare filters. */
const asked: Readonly<Record<string, (filled: Filled) => string[]>> = {
  '/auth/second-factor': () => [''],
  '/admin/summary': () => ['', '?from=2026-01-01'],
  '/admin/service': () => ['', '?from=2026-01-01'],
  '/admin/ledger/proof': () => [''],
  '/admin/reconciliation': () => ['', '?from=2026-01-01'],
  '/admin/reconciliation/:day': () => [''],
  '/admin/orders': ({ orderId, nickname, userId }) => [
    '',
    ...searches(orderId, orderId.slice(3, 8), nickname, nickname.slice(4, 10), 'gamer', String(userId), 'zzzz'),
    ...['completed', 'pending', 'awaiting_payment', 'refunded', 'expired'].map((status) => `?status=${status}`),
    '?payment_method=card',
    '?payment_method=code',
    ...['account=5000000007', 'payment=7', 'email=a@example.com', 'nickname=gamer', 'supplier=sandbox', 'code=7'].map(
      (one) => `?${one}`,
    ),
    ...['amount_from=1&amount_to=1', 'currency=USD', 'from=2026-01-01&to=2026-01-02', 'productId=1'].map(
      (one) => `?${one}`,
    ),
    '?sort=total_amount',
    '?sort=status',
  ],
  '/admin/users': ({ nickname, userId }) => [
    '',
    ...searches(nickname, nickname.slice(4, 10), 'gamer', String(userId), 'zzzz'),
    '?role=admin',
    '?blocked=true',
    '?sort=nickname',
  ],
  '/admin/users/:id': () => [''],
  '/admin/users/:id/orders': () => [''],
  '/admin/users/:id/ledger': () => [''],
  '/admin/orders/:id': () => [''],
  '/admin/payments': ({ orderId, nickname }) => [
    '',
    ...searches(orderId, nickname, 'gamer', 'zzzz'),
    '?status=open',
    '?sort=amount',
  ],
  '/admin/audit': () => [
    '',
    ...searches('admin', 'refund', 'order:77', 'zzzz'),
    '?action=order.refund',
    '?subject=user:7',
  ],
  '/admin/offers/:id': () => [''],
  '/admin/alerts': () => ['', ...searches('delivery', 'zzzz'), '?state=open', '?state=resolved'],
  '/admin/alerts/count': () => [''],
  '/admin/products': () => ['', ...searches('free', 'zzzz')],
  '/admin/products/:id': () => [''],
  '/admin/products/:id/offers': () => [''],
  '/admin/regions': () => ['', ...searches('tur')],
  '/admin/promotions': () => ['', ...searches('sale')],
  '/admin/codes': ({ batchId, codeId, productId }) => [
    '',
    ...searches(String(codeId)),
    `?batch=${batchId}`,
    `?productId=${productId}`,
    ...['available', 'used', 'archived'].map((status) => `?status=${status}`),
    '?sort=price_usd',
    '?sort=status',
  ],
  '/admin/generated-codes': () => ['', '?activated=true', '?activated=false', '?published=true', '?status=used'],
  '/admin/code-batches': ({ productId }) => ['', ...searches('zzzz'), `?productId=${productId}`, '?cost=unknown'],
  '/admin/code-batches/:id': () => [''],
  '/admin/code-batches/:id/buyers': ({ orderId, nickname }) => ['', ...searches(orderId, nickname, 'gamer', 'zzzz')],
  '/admin/currency-rates': () => [''],
  '/admin/currency-rates/:id/history': () => [''],
  '/admin/filling-settings': () => [''],
  '/admin/fiscal-settings': () => [''],
  '/admin/pages': () => [''],
  '/admin/pages/:name': () => [''],
  '/admin/pages/:name/versions': () => [''],
  '/admin/order-views': () => [''],
  '/admin/shop': () => [''],
  '/admin/shop-texts': () => [''],
  '/admin/shop-units': () => [''],
  '/admin/shop-numbers': () => [''],
  '/admin/notification-texts': () => [''],
  '/admin/operator-texts': () => [''],
  '/admin/shop-front': () => [''],
  '/admin/shop-versions/:section': () => [''],
  '/currency-settings/settings': () => [''],
  '/admin/deliveries': ({ nickname }) => [
    '',
    ...searches(nickname, 'gamer', '5000000007', 'zzzz'),
    '?state=operator',
    '?state=queued',
  ],
  '/admin/deliveries/count': () => [''],
  '/admin/suppliers': () => [''],
  '/admin/suppliers/accounts': () => [''],
  '/admin/suppliers/versions': () => [''],
  '/admin/suppliers/syncs': () => [''],
  '/admin/suppliers/:name/sync': () => [''],
  '/admin/suppliers/:name/services': () => ['', ...searches('mobile', 'zzzz'), '?taken=true'],
  '/admin/suppliers/:name/products': () => ['', ...searches('60', 'zzzz'), '?change=new', '?change=gone', '?sort=cost'],
  '/admin/offers/:id/sources': () => [''],
  '/admin/products/:id/fields': () => [''],
  '/admin/price-rules': () => ['', ...searches('zzzz')],
  '/admin/price-rules/:id/history': () => [''],
  '/admin/offer-prices': () => [
    '',
    ...searches('free', 'zzzz'),
    ...['drifted', 'off_sale', 'rule', 'fixed', 'no_cost'].map((state) => `?state=${state}`),
    '?sort=price_usd',
  ],
  '/admin/pending-prices': () => [''],
  '/admin/profit': () => ['', '?from=2026-01-01'],
  '/admin/conversations': ({ nickname }) => [
    '',
    ...searches(nickname.slice(4, 10), 'does not', 'zzzz'),
    '?state=open',
    '?assignee=nobody',
    '?sort=nickname',
  ],
  '/admin/approvals/:id': () => [''],
  '/admin/coupons': () => ['', ...searches('SALE-77', 'zzzz'), '?sort=used', '?sort=ends_at'],
  '/admin/message-channels': () => [''],
  '/admin/message-recipients': () => ['', ...searches('desk', 'zzzz')],
  '/admin/messages': () => ['', '?state=waiting', '?state=failed', '?state=sent'],
  '/admin/payment-methods': () => [''],
  '/admin/payment-methods/:method/versions': () => [''],
  '/admin/payment-methods/versions': () => [''],
  '/admin/payment-providers': () => [''],
  '/admin/staff': ({ nickname }) => ['', ...searches('admin', nickname.slice(4, 10), 'zzzz'), '?sort=last_seen_at'],
  '/admin/staff/:id/sessions': () => [''],
  '/admin/staff-roles': () => [''],
  '/admin/staff-roles/:id/versions': () => [''],
  '/admin/staff-roles/removed': () => [''],
  '/admin/conversations/count': () => [''],
  '/admin/conversations/:id': () => [''],
  '/admin/answer-templates': () => [''],
  '/admin/answer-templates/:id/versions': () => [''],
  '/admin/answer-templates/removed': () => [''],
  '/admin/reviews': ({ nickname }) => [
    '',
    ...searches(nickname.slice(4, 10), 'zzzz'),
    '?filter=waiting',
    '?filter=hidden',
    '?stars=1',
    '?sort=stars',
  ],
  '/pubg-admin/denominations': () => ['', ...searches('60')],
  '/pubg-admin/denominations/active': () => [''],
  '/pubg-admin/codes': ({ denominationId }) => ['', `?denominationId=${denominationId}`, '?status=used'],
  '/freefire-admin/denominations': () => ['', ...searches('100')],
}

/** Codes are searched for by what is sent. */
const sent: readonly Page[] = ['/admin/codes/search', '/admin/generated-codes/search', '/pubg-admin/codes/search'].map(
  (path) => ({ path, body: { search: 'OLMOS-NO-SUCH-CODE' } }),
)

const searches = (...texts: string[]) => texts.map((text) => `?search=${encodeURIComponent(text)}`)

const firstOnes = ['/admin/price-rules', '/admin/conversations', '/admin/staff-roles', '/admin/answer-templates']

const toId = (path: string, filled: Filled): string | number => {
  if (path.startsWith('/admin/users')) return filled.userId
  if (path.startsWith('/admin/staff/')) return filled.adminId
  if (path.startsWith('/admin/approvals')) return filled.approvalId
  if (path.startsWith('/admin/orders')) return filled.orderId
  if (path.startsWith('/admin/code-batches')) return filled.batchId
  if (path.startsWith('/admin/offers')) return filled.offerId
  // That of the shop, which is the first; any role, conversation or template.
  if (firstOnes.some((start) => path.startsWith(start))) return 1
  return path.startsWith('/admin/currency-rates') ? filled.rateId : filled.productId
}

/** Every page that is measured. Throws when a list of the contract is not among them. */
export async function adminPages(filled: Filled): Promise<Page[]> {
  const paths = (await endpoints())
    .filter(({ method, access, stream }) => access === 'admin' && method === 'GET' && !stream)
    .map(({ path }) => path)
  const read = paths.flatMap((path) => {
    const queries = asked[path]
    if (!queries) throw new Error(`proof/bench/admin-pages.ts does not know GET ${path}`)
    const place = path
      .replace(':id', String(toId(path, filled)))
      .replace(':name', path.startsWith('/admin/pages') ? 'terms' : 'sandbox')
      .replace(':section', 'shop')
      .replace(':method', 'sandbox')
      .replace(':day', '2026-11-20')
    return queries(filled).map((query) => ({ path: `${place}${query}` }))
  })
  return [...read, ...sent]
}

async function endpoints(): Promise<Endpoint[]> {
  const files = globSync('*.ts', { cwd: contract }).filter((name) => !name.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((name) => import(join(contract, name))))
  return modules.flatMap((module) =>
    Object.entries(module as Record<string, object>)
      .filter(([name]) => name.endsWith('Api'))
      .flatMap(([, table]) => Object.values(table) as Endpoint[]),
  )
}

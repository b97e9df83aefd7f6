import type { Alert } from '@olmos/contract/alerts'
import { expect, test } from 'vitest'
import { toPlace } from './alert-places.ts'

const alert = (kind: string, subject: string, details: object = {}): Alert => ({
  id: 1,
  kind,
  subject,
  details: { ...details },
  state: 'open',
  created_at: '2026-11-22T12:00:00.000Z',
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
  resolved_by: null,
})

test.each([
  ['codes.expiring', 'batch:17', {}, 'batches', '/admin/batches?batch=17'],
  ['codes.low', 'product:5:offer:7', {}, 'products', '/admin/products?product=5'],
  ['codes.other_game', 'product:5', {}, 'generatedCodes', '/admin/generatedCodes?productId=5'],
  ['product.options', 'product:5', {}, 'products', '/admin/products?product=5&view=fields'],
  ['product.fields', 'product:5:service:12', {}, 'products', '/admin/products?product=5&view=fields'],
  ['price.waiting', 'prices', {}, 'priceRules', '/admin/priceRules?view=pending'],
  ['price.too_low', 'prices', {}, 'priceRules', '/admin/priceRules?view=packages&state=off_sale'],
  ['price.under_floor', 'prices', {}, 'priceRules', '/admin/priceRules?view=packages&state=off_sale'],
  [
    'payment.difference',
    'yookassa:2026-11-20',
    { day: '2026-11-20' },
    'payments',
    '/admin/payments?view=reconciliation&day=2026-11-20',
  ],
  ['delivery.stuck', 'delivery:9', { order: 'AB12' }, 'deliveries', '/admin/deliveries?search=AB12'],
])('%s of %s leads to where it is dealt with', (kind, subject, details, tab, to) => {
  expect(toPlace(alert(kind, subject, details))).toEqual({ tab, to })
})

test('a kind that nobody knows any more leads nowhere', () => {
  expect(toPlace(alert('weather.bad', 'rain'))).toBeUndefined()
})

import type { SupplierProduct } from '@olmos/contract/supplier-lists'
import { expect, test } from 'vitest'
import { renderForTest } from '../render-for-test.tsx'
import { FoundProducts } from './AddFromSupplier.tsx'

const aProduct = (id: number): SupplierProduct => ({
  id,
  reference: `ref/${id}`,
  service_id: 1,
  service_title: 'Roblox',
  kind: 'code',
  name: `${id} Robux`,
  cost: '1.2',
  currency: 'USD',
  cost_usd: '1.2',
  cost_then: null,
  stock: null,
  quantity_min: null,
  quantity_max: null,
  region: null,
  created_at: '2026-11-22T12:00:00.000Z',
  seen_at: '2026-11-22T12:00:00.000Z',
  cost_changed_at: '2026-11-22T12:00:00.000Z',
  gone_at: null,
  offers: [],
})

const show = (count: number, total: number) =>
  renderForTest(<FoundProducts supplier="kinguin" search="robux" isThere={() => false} onAdd={() => undefined} />, {
    permissions: ['suppliers.write'],
    answer: { data: Array.from({ length: count }, (_, index) => aProduct(index + 1)), total },
  })

test.each([
  [0, 0, /Ничего не нашлось/],
  [20, 57, /Есть ещё 37: уточните поиск/],
  [20, 2_000, /Есть ещё 1\s980 или больше: уточните поиск/],
])('%i of %i found are told as such', (count, total, text) => {
  expect(show(count, total)).toMatch(text)
})

test('of what is all there nothing more is said', () => {
  const html = show(20, 20)
  expect(html).toContain('20 Robux')
  expect(html).not.toContain('уточните')
})

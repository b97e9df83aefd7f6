import type { CodeBatch } from '@olmos/contract/code-batches'
import type { PubgCode } from '@olmos/contract/pubg-codes'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { BatchForm } from '../batches/BatchForm.tsx'
import { PubgCodeForm } from '../pubg-codes/PubgCodes.tsx'
import { renderForTest } from '../render-for-test.tsx'

const time = '2026-11-22T12:00:00.000Z'
const batch: CodeBatch = {
  id: 7,
  product_id: 1,
  product_title: 'Roblox',
  region_id: 0,
  region_name: '',
  imported_by: null,
  counts: {},
  cost: null,
  currency: null,
  supplier: null,
  invoice: '',
  expires_on: null,
  is_bought_singly: false,
  recalled_at: null,
  recall_reason: null,
  created_at: time,
  version: 1,
}
const poolCode: PubgCode = {
  id: 8,
  code: '••••1234',
  denomination_id: 1,
  uc_amount: 60,
  price_usd: 1,
  price_rub: 80,
  status: 'available',
  order_id: null,
  user_id: null,
  nickname: null,
  batch_id: 7,
  created_at: time,
  version: 1,
}
const close = () => undefined

/** Forms that a row opens for anyone who may see its list. */
const forms: [string, ReactNode][] = [
  ['an import', <BatchForm key="import" batch={batch} onClose={close} />],
  ['a code of the pool', <PubgCodeForm key="code" code={poolCode} denominations={[]} onClose={close} />],
]

test.each(forms)('%s can only be read without `stock.write`, and says so', (_name, form) => {
  const html = renderForTest(form, { permissions: ['codes.read'] })
  expect(html).toContain('role="note"')
  expect(html).toMatch(/<fieldset disabled/)
  expect(html).not.toContain('type="submit"')
})

test.each(forms)('%s is saved with it', (_name, form) => {
  const html = renderForTest(form, { permissions: ['codes.read', 'stock.write'] })
  expect(html).not.toContain('role="note"')
  expect(html).toContain('type="submit"')
})

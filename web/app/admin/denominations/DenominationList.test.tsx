import type { Permission } from '@olmos/contract/permissions'
import { expect, test, vi } from 'vitest'
import { renderForTest } from '../render-for-test.tsx'
import { DenominationList } from './DenominationList.tsx'

// It follows the clock of the browser.
vi.mock('../../i18n/Ago.tsx', () => ({ Ago: () => null }))

const row = {
  id: 1,
  uc_amount: 60,
  price_usd: 1,
  price_rub: 80,
  is_active: true,
  unsold_codes: 3,
  sold_codes: 0,
  created_at: '2026-11-22T12:00:00.000Z',
  version: 1,
}

test.each<{ permissions: Permission[]; buttons: string[] }>([
  { permissions: [], buttons: [] },
  { permissions: ['prices.write'], buttons: ['Добавить номинал', 'Изменить: 60 UC'] },
  { permissions: ['catalogue.write'], buttons: ['Удалить: 60 UC'] },
  {
    permissions: ['prices.write', 'catalogue.write'],
    buttons: ['Добавить номинал', 'Изменить: 60 UC', 'Удалить: 60 UC'],
  },
])('who has $permissions is offered $buttons', ({ permissions, buttons }) => {
  const html = renderForTest(<DenominationList game="pubg" />, { permissions, answer: { data: [row], total: 1 } })
  expect(html).toContain('60 UC')
  const all = ['Добавить номинал', 'Изменить: 60 UC', 'Удалить: 60 UC']
  expect(all.filter((button) => html.includes(button))).toEqual(buttons)
})

test.each([
  [0, true],
  [50, false],
])('a page past the end of %i rows says that there is nothing: %s', (total, isSaid) => {
  const html = renderForTest(<DenominationList game="pubg" />, {
    permissions: [],
    answer: { data: [], total },
    address: '/?page=2',
  })
  expect(html.includes('Ничего не нашлось')).toBe(isSaid)
})

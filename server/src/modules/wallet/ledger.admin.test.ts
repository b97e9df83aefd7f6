import { expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

test('an admin sees what moved the balances of a user, why and by whom', async () => {
  const user = await aUser(shop, { usd: 500 })
  const set = (body: object) => shop.call('PUT', `/admin/users/${user.id}/balance`, { token: admin.token, body })
  await set({ balanceUsd: 7, reason: 'A gift' })
  await set({ balanceRub: 100, balanceUsd: 6, reason: 'Mended' })
  const ledger = async (query = '') =>
    (await shop.call('GET', `/admin/users/${user.id}/ledger${query}`, { token: admin.token })).body

  const by = { made_by: admin.nickname, kind: 'adjustment' }
  expect(await ledger('?currency=usd')).toMatchObject({
    data: [
      { ...by, amount: -1, balance_after: 6, reason: 'Mended' },
      { ...by, amount: 2, balance_after: 7, reason: 'A gift' },
      { amount: 5, balance_after: 5, reason: null, made_by: null },
    ],
    total: 3,
  })
  expect((await ledger('?search=gift')).total).toBe(1)
  expect((await ledger('?pageSize=1&page=4&order=asc')).data).toMatchObject([{ currency: 'rub', amount: 100 }])
  const own = await shop.call('GET', '/balance/history', { token: user.token })
  expect(own.body.data[0]).not.toHaveProperty('reason')
  expect((await shop.call('GET', '/admin/users/999999/ledger', { token: admin.token })).status).toBe(404)
})

import { beforeAll, describe, expect, test } from 'vitest'
import { fillDemo } from '../../server/src/modules/operations/fill-demo.ts'
import { checkInvariants } from '../../server/src/modules/proof/ledger-proof.ts'
import { aUser } from '../../server/test/factories.ts'
import { useShop } from '../../server/test/use-shop.ts'
import { beginPast } from '../past.ts'
import { adminPages } from './admin-pages.ts'
import { seed } from './seed.ts'
import { seedAdmin } from './seed-admin.ts'

// What is measured is seeded without most triggers: a migration may ask for more than that writes.
describe('a store that is measured', () => {
  const shop = useShop()
  beforeAll(async () => {
    await fillDemo(shop.database, shop.vault)
    await aUser(shop, { role: 'admin' })
  })

  test('what the bench measures is seeded as the store would have it', async () => {
    const size = { buyers: 40, codes: 200, pastOrders: 200 }
    const seeded = await seed(shop.database, size)
    try {
      await seeded.proveSales()
      const { token, filled } = await seedAdmin(seeded, { size: 100, messages: 40 })
      for (const { path, body } of await adminPages(filled)) {
        const { status, text } = await shop.call(body ? 'POST' : 'GET', path, { token, body })
        expect([path, status, text]).toEqual([path, 200, text])
      }
    } finally {
      seeded.end()
    }
  })
})

describe('a past', () => {
  const shop = useShop()

  test('keeps every invariant', async () => {
    const past = await beginPast(shop.database, {
      secretKey: shop.config.secretKey as Buffer,
      buyers: 50,
      since: new Date(Date.now() - 86_400_000),
    })
    await past.sell(100, new Date(Date.now() - 80_000_000)).finally(past.end)
    expect((await checkInvariants(shop.database)).filter(({ offenders }) => offenders > 0)).toEqual([])
  })
})

import { describe, expect, test, vi } from 'vitest'
import type { OfferWish } from '../../../test/factories.ts'
import {
  type ListedSupplier,
  listedSupplier,
  noteSeller,
  passSyncTime,
  priced,
  shopWith,
  type TestWare,
  userId,
  zoneId,
} from '../../../test/listed-supplier.ts'
import { aPricedOffer, storedPrice } from '../../../test/priced-offers.ts'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Job, runIfDue } from '../../platform/database/jobs.ts'
import { sql } from '../../platform/database/queries.ts'
import { rejected, unknown } from '../../platform/vendor/vendor.ts'
import { listSyncs } from './supplier-lists.ts'
import { claimRun } from './sync.store.ts'
import { type SourcingShop, syncCatalogues, syncSupplier } from './sync.ts'

const shop = useShop()

const everyMinute = { name: 'sync-catalogues', cron: '* * * * *', timeZone: 'UTC' }

let count = 0
const uc = () => priced('pubg', { '60 UC': '0.88', '325 UC': '4.36', '660 UC': '8.7' })
const wares = (): Record<string, TestWare> => ({
  pubg: { title: 'PUBG Mobile', checkReference: 'pubg_check', fields: [userId], products: uc() },
  mlbb: { title: 'Mobile Legends', fields: [userId, zoneId], products: priced('mlbb', { '11 Diamonds': '0.19' }) },
  psn: { title: 'PSN', kind: 'code', fields: [], products: priced('psn', { '10 USD': '9.2', '20 USD': '18.4' }) },
})
const aSupplier = (given = wares(), wish = {}) => listedSupplier(`listed-${++count}`, given, wish)

const sync = (listed: ListedSupplier, wish = {}, given: SourcingShop = shopWith(shop, listed.supplier)) =>
  syncSupplier(given, listed.supplier, { isWanted: true, ...wish })
const readSync = async ({ supplier }: ListedSupplier) => (await listSyncs(shop.database, [supplier.name]))[0]

const readProducts = async ({ supplier }: ListedSupplier) =>
  shop.database.rows<{ reference: string; cost: string; is_gone: boolean }>(sql`
    SELECT reference, trim_scale(cost)::text AS cost, gone_at IS NOT NULL AS is_gone FROM supplier_product
    WHERE supplier = ${supplier.name} ORDER BY id`)
const readGone = async (listed: ListedSupplier) =>
  (await readProducts(listed)).flatMap(({ reference, is_gone }) => (is_gone ? [reference] : []))

const readAlerts = (subject: string) =>
  shop.database.rows<{ kind: string; details: unknown }>(
    sql`SELECT kind, details FROM alert WHERE subject = ${subject} AND resolved_at IS NULL ORDER BY id`,
  )

/** An offer that is bought as this product of a list that was read. */
async function aBoughtOffer({ supplier }: ListedSupplier, reference: string, wish: OfferWish = {}) {
  const offer = await aPricedOffer(shop, wish)
  await shop.database.run(sql`
    INSERT INTO offer_source (offer_id, kind, supplier_product_id, rank) SELECT ${offer.id}, 'supplier', id, 1
    FROM supplier_product WHERE supplier = ${supplier.name} AND reference = ${reference}`)
  return offer
}

/** A shop whose worker dies with the transaction after so many. */
function dyingAfter(listed: ListedSupplier, transactions: number): SourcingShop {
  let left = transactions
  const transaction: typeof shop.database.transaction = (work, options) => {
    if (left-- <= 0) throw new Error('the worker is dead')
    return shop.database.transaction(work, options)
  }
  return { ...shopWith(shop, listed.supplier), database: Object.assign(Object.create(shop.database), { transaction }) }
}

test('prices follow what a page says at once, so that nothing is sold out until the end; costs that move far wait for it', async () => {
  await shop.database.run(sql`
    UPDATE price_rule SET margin_percent = 10, least_usd = 0, least_rub = 0, payment_percent = 0, rounding_usd = 'hundredth',
      rounding_rub = 'hundredth' WHERE scope = 'shop'`)
  const cards = (...[ten, twenty]: string[]) =>
    priced('psn', { '10 USD': ten ?? '', '20 USD': twenty ?? '', '30 USD': '3' })
  const psn: TestWare = { title: 'PSN', kind: 'code', fields: [], products: cards('1', '2') }
  const listed = aSupplier({ psn })
  await noteSeller(shop, listed.supplier)
  await sync(listed)
  const aCodeOnDemand = async (name: string, wish: { priceUsd: number; priceRub: number }) => {
    const { id, productId } = await aBoughtOffer(listed, `psn/${name}`, wish)
    await shop.database.run(sql`UPDATE product SET buys_on_demand = true WHERE id = ${productId}`)
    return async () => {
      const { price_usd } = await storedPrice(shop, id)
      return [price_usd, (await shop.call('GET', `/products/${productId}/codes/0`)).body[0].available_count]
    }
  }
  const ten = await aCodeOnDemand('10 USD', { priceUsd: 110, priceRub: 88_00 })
  const twenty = await aCodeOnDemand('20 USD', { priceUsd: 220, priceRub: 176_00 })
  await sync(listed)
  expect([await ten(), await twenty()]).toEqual([
    [125, 10],
    [250, 10],
  ])
  psn.products = cards('1.001', '1.5')
  const seen: unknown[] = []
  listed.instead.set('products psn 1', async () => {
    seen.push(await ten(), await twenty())
    return undefined
  })
  await sync(listed)
  expect(seen).toEqual([
    [126, 10],
    [250, 10],
  ])
  expect([await ten(), await twenty()]).toEqual([
    [126, 10],
    [250, 0],
  ])
})

describe('a list is read', () => {
  test('page by page, to the end', async () => {
    const listed = aSupplier()
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({
      state: 'done',
      services: 3,
      services_read: 3,
      services_failed: 0,
      products: 6,
      new_products: 6,
      gone_products: 0,
      rejected_rows: 0,
      reason: null,
      completed_at: expect.any(String),
    })
    expect((await readProducts(listed)).map(({ reference, cost }) => `${reference} ${cost}`)).toEqual([
      'pubg/60 UC 0.88',
      'pubg/325 UC 4.36',
      'pubg/660 UC 8.7',
      'mlbb/11 Diamonds 0.19',
      'psn/10 USD 9.2',
      'psn/20 USD 18.4',
    ])
    expect(listed.calls).toEqual([
      'services 0',
      'services 1',
      'products pubg 0',
      'products pubg 1',
      'products mlbb 0',
      'products psn 0',
    ])
    const games = await shop.database.rows(sql`
      SELECT reference, title, kind, check_reference, fields FROM supplier_service WHERE supplier = ${listed.supplier.name} ORDER BY id`)
    expect(games[0]).toEqual({
      reference: 'pubg',
      title: 'PUBG Mobile',
      kind: 'topup',
      check_reference: 'pubg_check',
      fields: [userId],
    })
    expect(games[2]).toMatchObject({ reference: 'psn', kind: 'code' })
  })

  test('when it is due, and not before', async () => {
    const listed = aSupplier()
    const readIfDue = () => sync(listed, { isWanted: false })
    await readIfDue()
    const pages = listed.calls.length
    expect(pages).toBeGreaterThan(0)
    await readIfDue()
    expect(listed.calls).toHaveLength(pages)
    await passSyncTime(shop, listed.supplier.name)
    await readIfDue()
    expect(listed.calls).toHaveLength(2 * pages)
  })

  test('while another supplier’s takes long, too', async () => {
    const [slow, other] = [aSupplier(), aSupplier()]
    const answer = Promise.withResolvers<undefined>()
    slow.instead.set('products pubg 0', () => answer.promise)
    const left = new Set<Promise<void>>()
    const both = shopWith(shop, slow.supplier, other.supplier)
    const job: Job = { ...everyMinute, run: (leave) => syncCatalogues(both, leave) }
    const runAt = (moment: string) => runIfDue({ database: shop.database, log: shop.log, left }, job, new Date(moment))
    const first = runAt('2026-11-22T12:00:00Z')
    await vi.waitFor(async () => expect(await readSync(other)).toMatchObject({ state: 'done' }))
    const pages = other.calls.length
    await passSyncTime(shop, other.supplier.name)
    await runAt('2026-11-22T12:01:00Z')
    await vi.waitFor(() => expect(other.calls).toHaveLength(2 * pages))
    expect(slow.calls).toEqual(['services 0', 'services 1', 'products pubg 0'])
    answer.resolve(undefined)
    await first
    await Promise.all(left)
    expect(await readSync(slow)).toMatchObject({ state: 'done', products: 6 })
  })

  test('by one worker, however long a page takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const listed = aSupplier()
      const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
      listed.instead.set('products pubg 0', () => {
        asked.resolve()
        return answer.promise
      })
      const reading = sync(listed)
      await asked.promise
      await passSyncTime(shop, listed.supplier.name, 3)
      vi.advanceTimersByTime((SERVER_LIMITS.syncLeaseSeconds / 2) * 1_000)
      await vi.waitFor(async () => expect(await readSync(listed)).toMatchObject({ state: 'running' }))
      await sync(listed, { isWanted: false })
      expect(listed.calls).toEqual(['services 0', 'services 1', 'products pubg 0'])
      answer.resolve(undefined)
      await reading
      expect(await readSync(listed)).toMatchObject({ state: 'done', products: 6 })
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  test('by one of twenty workers', async () => {
    const listed = aSupplier()
    // The one that reads does not end before the others have seen that it reads.
    const others = Promise.withResolvers<undefined>()
    listed.instead.set('services 0', () => others.promise)
    let count = 0
    const worker = async () => {
      await sync(listed)
      if (++count === 19) others.resolve(undefined)
    }
    await Promise.all(Array.from({ length: 20 }, worker))
    expect(new Set(listed.calls).size).toBe(listed.calls.length)
    expect(await readSync(listed)).toMatchObject({ state: 'done', products: 6 })
  })

  test('and resumed where the worker died, whenever that was', async () => {
    for (const transactions of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
      const listed = aSupplier()
      await expect(sync(listed, {}, dyingAfter(listed, transactions))).rejects.toThrow('dead')
      expect(await readSync(listed)).toMatchObject({ state: 'running' })
      const before = listed.calls.length
      await sync(listed)
      expect(listed.calls, 'while it is leased').toHaveLength(before)
      await passSyncTime(shop, listed.supplier.name, 3)
      expect(await readSync(listed)).toMatchObject({ state: 'waiting' })
      await sync(listed, { isWanted: false })
      expect(await readSync(listed)).toMatchObject({ state: 'done', products: 6, new_products: 6, services_read: 3 })
      // At most the page that was not written is asked for again.
      expect(listed.calls.length - new Set(listed.calls).size).toBeLessThanOrEqual(1)
    }
  })

  test('and a worker that was thought dead writes nothing', async () => {
    const listed = aSupplier()
    const slow = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    listed.instead.set('products pubg 0', async () => {
      asked.resolve()
      await slow.promise
      return rejected('late')
    })
    const late = sync(listed)
    await asked.promise
    listed.instead.clear()
    await passSyncTime(shop, listed.supplier.name, 3)
    await sync(listed)
    const before = await readSync(listed)
    slow.resolve()
    await late
    expect(before).toMatchObject({ state: 'done', services_read: 3, services_failed: 0 })
    expect(await readSync(listed)).toEqual(before)
  })
})

describe('a list that makes no sense', () => {
  test('in some rows is read without them, and says which', async () => {
    const listed = aSupplier({
      pubg: {
        title: 'PUBG Mobile',
        fields: [userId],
        products: {
          ...uc(),
          free: { name: 'Free', cost: '0' },
          zero: { name: 'Zero', cost: '0.00000000' },
          exact: { name: 'Too exact', cost: '0.123456789' },
          comma: { name: 'Comma', cost: '1,5' },
          less: { name: 'Less', cost: '-1' },
          float: { name: 'Float', cost: '1e3' },
          money: { name: 'Money', cost: '1', currency: 'ZZZ' },
          coin: { name: 'Coin', cost: '1', currency: 'usd' },
          long: { name: 'x'.repeat(201), cost: '1' },
          nul: { name: 'a\u0000b', cost: '1' },
          ' space': { name: 'Space', cost: '1' },
          between: { name: 'Between', cost: '1', quantityMin: 5, quantityMax: 2 },
        },
      },
      bad: { title: '', fields: [], products: priced('bad', { x: '1' }) },
      twice: { title: 'Twice', fields: [userId, userId], products: priced('twice', { x: '1' }) },
    })
    await sync(listed)
    const read = await readSync(listed)
    expect(read).toMatchObject({ state: 'done', products: 3, rejected_rows: 14, services_failed: 0 })
    const reasons = read?.rejected.map(({ reference, reason }) => `${reference} ${reason}`)
    expect(reasons).toEqual([
      'bad name',
      'twice fields',
      'free cost',
      'zero cost',
      'exact decimals',
      'comma cost',
      'less cost',
      'float cost',
      'money currency',
      'coin currency',
      'long name',
      'nul name',
      ' space reference',
      'between quantity',
    ])
    expect(await readAlerts(listed.supplier.name)).toEqual([])
  })

  test('is no reason to think that something is gone', async () => {
    const listed = aSupplier()
    await sync(listed)
    listed.wares.pubg = {
      title: 'PUBG Mobile',
      fields: [userId],
      products: { ...uc(), 'pubg/60 UC': { name: '60 UC', cost: '0' } },
    }
    listed.wares.mlbb = { title: '', fields: [], products: {} }
    await sync(listed)
    expect(await readGone(listed)).toEqual([])
    expect((await readProducts(listed))[0]).toMatchObject({ reference: 'pubg/60 UC', cost: '0.88' })
  })

  test('has one reference twice: the first counts, within a game and among games', async () => {
    const listed = aSupplier()
    const stolen = { name: 'Another', cost: '99' }
    listed.wares.mlbb = { title: 'Mobile Legends', fields: [], products: { 'pubg/60 UC': stolen, own: stolen } }
    for (const _ of ['first', 'second']) {
      await sync(listed)
      expect(await readProducts(listed)).toMatchObject([{ reference: 'pubg/60 UC', cost: '0.88' }, {}, {}, {}, {}, {}])
      expect((await readSync(listed))?.rejected).toEqual([
        { reference: 'pubg/60 UC', name: 'Another', reason: 'duplicate' },
      ])
    }
  })

  test('and never ends is given up', async () => {
    const listed = aSupplier()
    let page = 0
    const endless = listed.supplier
    const first = endless.listServices
    endless.listServices = async (cursor) => ({ kind: 'done', value: { items: [], next: cursor ?? 'again' } })
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({ state: 'failed', reason: 'endless' })
    endless.listServices = first
    endless.listProducts = async () => ({ kind: 'done', value: { items: [], next: String(++page) } })
    listed.wares = { pubg: { title: 'PUBG', fields: [], products: {} } }
    await sync(listed)
    expect(page).toBe(SERVER_LIMITS.syncPagesMax + 1)
    expect(await readSync(listed)).toMatchObject({ state: 'done', services_failed: 1 })
  })
})

describe('a game that can not be read to its end', () => {
  test('is no long one that tells how many pages it has: what has left it is gone', async () => {
    const listed = aSupplier(
      { psn: { title: 'PSN', kind: 'code', fields: [], products: {} } },
      { pageSize: 1, countsPages: true },
    )
    const names = Array.from({ length: SERVER_LIMITS.syncPagesMax + 3 }, (_, n) => `${n} USD`)
    const cards = (some: string[]) => priced('psn', Object.fromEntries(some.map((name) => [name, '1'])))
    const { psn } = listed.wares as { psn: TestWare }
    psn.products = cards(names.slice(0, 1))
    await sync(listed)
    await aBoughtOffer(listed, 'psn/0 USD')
    psn.products = cards(names.slice(1))
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({ state: 'done', services_read: 1, services_failed: 0 })
    expect(await readGone(listed)).toEqual(['psn/0 USD'])
    expect(await readProducts(listed)).toHaveLength(names.length)
  })

  test('and is sold raises an alert after an hour, which stays until it is', async () => {
    const listed = aSupplier()
    await sync(listed)
    await aBoughtOffer(listed, 'psn/10 USD')
    listed.instead.set('products pubg 0', () => rejected('closed'))
    listed.instead.set('products psn 0', () => unknown('timeout'))
    for (let run = 1; run <= SERVER_LIMITS.syncFailures; run++) {
      expect(await readAlerts(listed.supplier.name)).toEqual([])
      await sync(listed)
      expect(await readSync(listed)).toMatchObject({ state: 'done', services_failed: 2 })
    }
    const alert = (failures: number) => ({
      kind: 'supplier.catalogue',
      details: { why: 'unread', product: ['PSN'], failures },
    })
    expect(await readAlerts(listed.supplier.name)).toEqual([alert(4)])
    await sync(listed)
    expect(await readAlerts(listed.supplier.name)).toEqual([alert(5)])
    listed.instead.delete('products psn 0')
    await sync(listed)
    expect(await readAlerts(listed.supplier.name)).toEqual([])
  })

  test('and is of a product that was deleted is not missed', async () => {
    const listed = aSupplier()
    await sync(listed)
    const { productId } = await aBoughtOffer(listed, 'psn/10 USD')
    listed.instead.set('products psn 0', () => unknown('timeout'))
    for (let run = 1; run <= SERVER_LIMITS.syncFailures; run++) await sync(listed)
    expect(await readAlerts(listed.supplier.name)).toHaveLength(1)
    await shop.database.run(sql`UPDATE product SET deleted_at = now(), is_active = false WHERE id = ${productId}`)
    await sync(listed)
    expect(await readAlerts(listed.supplier.name)).toEqual([])
  })
})

describe('a supplier that does not answer', () => {
  test('about one game is asked about it again at the end, and the others are read', async () => {
    const listed = aSupplier()
    await sync(listed)
    listed.calls.length = 0
    listed.wares.pubg = { title: 'PUBG Mobile', fields: [], products: {} }
    listed.instead.set('products pubg 0', () => unknown('timeout'))
    await sync(listed)
    expect(listed.calls.slice(2)).toEqual([
      'products pubg 0',
      'products mlbb 0',
      'products psn 0',
      'products pubg 0',
      'products pubg 0',
    ])
    expect(await readSync(listed)).toMatchObject({ state: 'done', services_read: 2, services_failed: 1 })
    expect(await readGone(listed)).toEqual([])
  })

  test('for a while is asked again, and then given up until it is due', async () => {
    const listed = aSupplier()
    listed.instead.set('services 0', () => unknown('http_502'))
    for (const state of ['waiting', 'waiting', 'failed']) {
      await sync(listed)
      expect(await readSync(listed)).toMatchObject({ state, reason: 'http_502' })
      await passSyncTime(shop, listed.supplier.name, 3)
    }
    expect(listed.calls).toHaveLength(3)
  })

  test('and wants to be left alone is, and the reading is resumed after that', async () => {
    const listed = aSupplier()
    listed.instead.set('products mlbb 0', () => unknown('http_429', { retryAfterSeconds: 100 }))
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({
      state: 'waiting',
      reason: 'http_429',
      resumes_at: expect.any(String),
    })
    const pages = listed.calls.length
    await sync(listed)
    expect(listed.calls).toHaveLength(pages)
    listed.instead.clear()
    await passSyncTime(shop, listed.supplier.name, 2)
    await sync(listed, { isWanted: false })
    expect(listed.calls.slice(pages)).toEqual(['products mlbb 0', 'products psn 0'])
    expect(await readSync(listed)).toMatchObject({ state: 'done', products: 6 })
  })

  test('to the shop’s key is not asked further, and the operators are alerted at once', async () => {
    const listed = aSupplier()
    listed.instead.set('products pubg 0', () => rejected('not_allowed'))
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({ state: 'failed', reason: 'not_allowed' })
    expect(listed.calls).toHaveLength(3)
    expect(await readAlerts(listed.supplier.name)).toEqual([
      { kind: 'supplier.catalogue', details: { why: 'not_allowed', failures: 1 } },
    ])
    listed.instead.clear()
    await sync(listed)
    expect(await readAlerts(listed.supplier.name)).toEqual([])
  })

  test('for an hour raises an alert', async () => {
    const listed = aSupplier()
    listed.instead.set('services 0', () => rejected('closed'))
    for (let run = 1; run <= SERVER_LIMITS.syncFailures; run++) {
      expect(await readAlerts(listed.supplier.name)).toEqual([])
      await sync(listed)
    }
    expect(await readAlerts(listed.supplier.name)).toMatchObject([{ details: { why: 'closed', failures: 4 } }])
  })

  test('but breaks is like one that does not answer', async () => {
    const listed = aSupplier()
    listed.supplier.listServices = () => {
      throw new Error('a bug')
    }
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({ state: 'waiting', reason: 'broke' })
  })
})

describe('what is not in the list any more', () => {
  test('is gone, a whole game too, and is there again when it comes back', async () => {
    const listed = aSupplier()
    await sync(listed)
    const { mlbb } = listed.wares
    listed.wares = {
      pubg: { title: 'PUBG', fields: [], products: priced('pubg', { '325 UC': '4.36', '660 UC': '8.7' }) },
      psn: wares().psn as TestWare,
    }
    await sync(listed)
    expect(await readGone(listed)).toEqual(['pubg/60 UC', 'mlbb/11 Diamonds'])
    expect(await readSync(listed)).toMatchObject({ gone_products: 2, services: 2 })
    listed.wares = { ...wares(), mlbb: mlbb as TestWare }
    await sync(listed)
    expect(await readGone(listed)).toEqual([])
  })

  test('is not gone by a reading that failed', async () => {
    const listed = aSupplier()
    await sync(listed)
    listed.wares = { pubg: { title: 'PUBG', fields: [], products: uc() } }
    listed.instead.set('products pubg 0', () => rejected('not_allowed'))
    await sync(listed)
    expect(await readGone(listed)).toEqual([])
  })

  test('is not believed when it is most of a long list, until an operator says so', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n} UC`, '1']))
    const listed = aSupplier({ pubg: { title: 'PUBG', fields: [], products: priced('pubg', many) } })
    await sync(listed)
    listed.wares = { pubg: { title: 'PUBG', fields: [], products: priced('pubg', { '1 UC': '1' }) } }
    await sync(listed)
    expect(await readSync(listed)).toMatchObject({ state: 'failed', reason: 'shrunk' })
    expect(await readGone(listed)).toEqual([])
    expect(await readAlerts(listed.supplier.name)).toMatchObject([{ details: { why: 'shrunk' } }])
    await sync(listed, { acceptsShrunk: true })
    expect(await readGone(listed)).toHaveLength(29)
    expect(await readAlerts(listed.supplier.name)).toEqual([])
  })

  test('is believed by a reading that was under way when an operator said so', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n} UC`, '1']))
    const listed = aSupplier({ pubg: { title: 'PUBG', fields: [], products: priced('pubg', many) } })
    await sync(listed)
    listed.wares = { pubg: { title: 'PUBG', fields: [], products: priced('pubg', { '1 UC': '1' }) } }
    const { supplier } = listed
    await shop.database.transaction((tx) => claimRun(tx, supplier.name, { isWanted: true }))
    await sync(listed, { acceptsShrunk: true })
    expect(await readGone(listed)).toEqual([])
    await shop.database.run(sql`UPDATE supplier_sync SET leased_until = now() WHERE supplier = ${supplier.name}`)
    await sync(listed)
    expect(await readGone(listed)).toHaveLength(29)
  })

  test('was perhaps never listed: a game that the store knew before stays', async () => {
    const listed = aSupplier()
    await shop.database.run(sql`
      INSERT INTO supplier_service (supplier, reference, title, check_reference)
      VALUES (${listed.supplier.name}, 'steam', 'Steam', 'steam'), (${listed.supplier.name}, 'mlbb', 'ML', 'mlbb_check')`)
    await sync(listed)
    const rows = await shop.database.rows(sql`
      SELECT reference, title, check_reference, gone_at FROM supplier_service WHERE supplier = ${listed.supplier.name} ORDER BY id LIMIT 2`)
    expect(rows).toEqual([
      { reference: 'steam', title: 'Steam', check_reference: 'steam', gone_at: null },
      { reference: 'mlbb', title: 'Mobile Legends', check_reference: 'mlbb_check', gone_at: null },
    ])
  })
})

test('options that the supplier tells apart are read with the game', async () => {
  const server = { key: 'server', label: 'Server', type: 'select', isRequired: true } as const
  const listed = aSupplier({ genshin: { title: 'Genshin', fields: [userId, server], products: {} } })
  listed.supplier.listOptions = async (_, field) => {
    if (field !== 'server') throw new Error('nobody asked')
    return { kind: 'done', value: [{ value: 'os_asia', label: 'Asia' }] }
  }
  await sync(listed)
  const { fields } = await shop.database.one<{ fields: unknown }>(
    sql`SELECT fields FROM supplier_service WHERE supplier = ${listed.supplier.name}`,
  )
  expect(fields).toEqual([userId, { ...server, options: [{ value: 'os_asia', label: 'Asia' }] }])
})

test('two thousand products of one page are read within a few seconds, and again when nothing has changed', async () => {
  const many = Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`${n} UC`, `${n}.5`]))
  const listed = listedSupplier(
    `listed-${++count}`,
    { pubg: { title: 'PUBG', fields: [], products: priced('pubg', many) } },
    { pageSize: 3_000 },
  )
  for (const _ of ['first', 'second']) await sync(listed)
  expect(await readSync(listed)).toMatchObject({ products: 2_500, new_products: 0, rejected_rows: 0 })
  const { costs } = await shop.database.one<{ costs: number }>(sql`
    SELECT count(*)::int AS costs FROM supplier_cost JOIN supplier_product ON supplier_product.id = product_id
    WHERE supplier = ${listed.supplier.name}`)
  expect(costs).toBe(2_500)
})

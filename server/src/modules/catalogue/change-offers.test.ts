import type { OffersPreview } from '@olmos/contract/offer-changes'
import { beforeEach, expect, test } from 'vitest'
import { anOffer, type TestOffer } from '../../../test/factories.ts'
import { hear } from '../../../test/heard.ts'
import { aPricedOffer } from '../../../test/priced-offers.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { sql } from '../../platform/database/queries.ts'
import { lockPrices, repriceOffers } from '../pricing/reprice.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

beforeEach(() =>
  shop.database.run(sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE deleted_at IS NULL`),
)

const call = (path: string, body: object) => shop.call('POST', path, { token: admin.token, body })

const preview = async (wish: object): Promise<OffersPreview> => {
  const answer = await call('/admin/offer-changes/preview', { wish })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.body
}

const change = (wish: object, seen: string, underFloor?: string) =>
  call('/admin/offer-changes', { wish, seen, ...(underFloor && { underFloor }) })

const ofOffers = (...offers: TestOffer[]) => ({ of: 'offers', offer_ids: offers.map(({ id }) => id) })

const stored = (...offers: TestOffer[]) =>
  shop.database.rows<{ is_active: boolean; is_popular: boolean; low_stock: number | null; is_kept_off: boolean }>(sql`
    SELECT is_active, is_popular, low_stock, under_floor_since IS NOT NULL AS is_kept_off FROM offer
    WHERE id = ANY (${offers.map(({ id }) => id)}::int[]) ORDER BY id`)

const audited = (offer: TestOffer) =>
  shop.database.rows<{ action: string; before: object | null; after: object }>(sql`
    SELECT action, before, after FROM audit_entry WHERE subject = ${`offer:${offer.id}`} ORDER BY id`)

/** On sale, at a price that has come to be under what it costs, so that the shop keeps it off sale. */
async function aKeptOffOffer(): Promise<TestOffer> {
  const offer = await aPricedOffer(shop, { mode: 'fixed', base: ['2', 'USD'] })
  await shop.database.transaction((tx) =>
    repriceOffers(tx, { offerIds: [offer.id] }, { adminId: null, because: 'costs', isConfirmed: true }),
  )
  expect(await stored(offer)).toMatchObject([{ is_active: false, is_kept_off: true }])
  return offer
}

test('leaves top-ups as they are where popularity or codes are meant, and turns them off', async () => {
  const topup = await anOffer(shop)
  await shop.database.run(sql`UPDATE product SET kind = 'topup' WHERE id = ${topup.productId}`)
  const code = await anOffer(shop)
  const selection = ofOffers(topup, code)
  const marked = await preview({ selection, set: { is_popular: true, low_stock: 5 } })
  expect(marked.data.map(({ offer_id }) => offer_id)).toEqual([code.id])
  const off = await preview({ selection, set: { is_active: false, is_popular: true } })
  expect(off.data).toMatchObject([
    { offer_id: topup.id, after: { sale: 'off', is_popular: false } },
    { offer_id: code.id, after: { sale: 'off', is_popular: true } },
  ])
})

test('shows what would change and changes nothing; then exactly that comes, with an entry for each', async () => {
  const [one, two, popular] = [
    await anOffer(shop, { stock: 1 }),
    await anOffer(shop),
    await anOffer(shop, { isPopular: true }),
  ]
  await shop.database.run(sql`UPDATE offer SET low_stock = 5 WHERE id = ${popular.id}`)
  const wish = { selection: ofOffers(one, two, popular), set: { is_popular: true, low_stock: 5 } }
  const seen = await preview(wish)
  const before = { sale: 'on', is_popular: false, low_stock: null }
  const after = { sale: 'on', is_popular: true, low_stock: 5 }
  expect(seen).toMatchObject({
    total: 2,
    turned_on: 0,
    under_floor: 0,
    data: [
      { offer_id: one.id, before, after },
      { offer_id: two.id, before, after },
    ],
  })
  expect(await stored(one)).toMatchObject([{ is_popular: false, low_stock: null }])
  expect((await change(wish, seen.digest)).body.data).toEqual({ changed: 2 })
  const now = { is_active: true, is_popular: true, low_stock: 5, is_kept_off: false }
  expect(await stored(one, two, popular)).toEqual([now, now, now])
  expect(await audited(one)).toEqual([
    {
      action: 'offer.update',
      before: { is_popular: false, low_stock: null },
      after: { is_popular: true, low_stock: 5 },
    },
  ])
  expect(await audited(popular)).toEqual([])
  expect((await preview(wish)).total).toBe(0)

  const back = { selection: ofOffers(one), set: { low_stock: null } }
  await change(back, (await preview(back)).digest)
  expect(await stored(one)).toMatchObject([{ is_popular: true, low_stock: null }])
})

test('is of a product, of a category or of the whole shop; what is turned off leaves the pages', async () => {
  const [one, two] = [await anOffer(shop, { stock: 1 }), await anOffer(shop, { stock: 1 })]
  await shop.database.run(sql`UPDATE product SET category = '{rare}' WHERE id = ${two.productId}`)
  const set = { is_active: false }
  const found = async (selection: object) => (await preview({ selection, set })).data.map(({ offer_id }) => offer_id)
  expect(await found({ of: 'shop' })).toEqual([one.id, two.id])
  expect(await found({ of: 'category', category: 'rare' })).toEqual([two.id])
  const wish = { selection: { of: 'product', product_id: one.productId }, set }
  const seen = await preview(wish)
  expect(seen.data).toMatchObject([{ offer_id: one.id, before: { sale: 'on' }, after: { sale: 'off' } }])
  await change(wish, seen.digest)
  expect((await shop.call('GET', `/products/${one.productId}/codes/0`)).body).toEqual([])
  expect(await stored(two)).toMatchObject([{ is_active: true }])
  await shop.database.run(sql`UPDATE product SET deleted_at = now(), is_active = false WHERE id = ${two.productId}`)
  expect(await found({ of: 'shop' })).toEqual([])
})

test('asks for a written reason before something is sold for less than it costs, and keeps it', async () => {
  const [offer, other] = [await aKeptOffOffer(), await anOffer(shop)]
  await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ${other.id}`)
  const wish = { selection: ofOffers(offer, other), set: { is_active: true } }
  const seen = await preview(wish)
  expect(seen).toMatchObject({
    total: 2,
    turned_on: 2,
    under_floor: 1,
    data: [
      { before: { sale: 'kept_off' }, after: { sale: 'on' }, is_under_floor: true },
      { before: { sale: 'off' }, after: { sale: 'on' }, is_under_floor: false },
    ],
  })
  const refused = await change(wish, seen.digest)
  expect(refused.body.error).toMatchObject({
    code: 'FLOOR_PRICE',
    details: { prices: [{ price_usd: 1, price_rub: 80, floor_usd: 2 }] },
  })
  expect(await stored(offer, other)).toMatchObject([{ is_active: false }, { is_active: false }])
  expect((await change(wish, seen.digest, 'a week of sale')).body.data).toEqual({ changed: 2 })
  expect(await stored(offer, other)).toMatchObject([
    { is_active: true, is_kept_off: false },
    { is_active: true, is_kept_off: false },
  ])
  expect(await audited(offer)).toMatchObject([
    {
      action: 'offer.update',
      before: { is_active: false, kept_off: true },
      after: { is_active: true, kept_off: false },
    },
    { action: 'offer.under_floor', before: null, after: { reason: 'a week of sale', price_usd: 1, floor_usd: 2 } },
  ])
})

test('what was agreed to stays on sale while it costs no more, in both currencies', async () => {
  const offer = await aKeptOffOffer()
  const wish = { selection: ofOffers(offer), set: { is_active: true } }
  expect((await change(wish, (await preview(wish)).digest, 'a week of sale')).status).toBe(200)
  const reprice = () =>
    shop.database.transaction((tx) =>
      repriceOffers(tx, { offerIds: [offer.id] }, { adminId: null, because: 'costs', isConfirmed: true }),
    )
  await reprice()
  expect(await stored(offer)).toMatchObject([{ is_active: true, is_kept_off: false }])
  const floors = await shop.database.one<{ usd: boolean; rub: boolean }>(sql`
    SELECT price_usd < floor_usd AS usd, price_rub < floor_rub AS rub FROM offer WHERE id = ${offer.id}`)
  expect(floors).toEqual({ usd: true, rub: true })
  await shop.database.run(sql`UPDATE offer SET base_cost = 20 WHERE id = ${offer.id}`)
  await reprice()
  expect(await stored(offer)).toMatchObject([{ is_active: false, is_kept_off: true }])
})

test('what is sold for exactly what it costs needs no reason, and one currency under it does', async () => {
  const [even, roubles] = [await anOffer(shop), await anOffer(shop)]
  await shop.database.run(sql`
    UPDATE offer SET is_active = false, floor_usd = price_usd, floor_rub = price_rub + CASE WHEN id = ${roubles.id} THEN 1 ELSE 0 END
    WHERE id IN (${even.id}, ${roubles.id})`)
  const set = { is_active: true }
  const cheap = { selection: ofOffers(roubles), set }
  expect((await change(cheap, (await preview(cheap)).digest)).body.error.code).toBe('FLOOR_PRICE')
  const wish = { selection: ofOffers(even), set }
  expect((await change(wish, (await preview(wish)).digest)).body.data).toEqual({ changed: 1 })
})

test('waits for prices that are being made, and every node is told of it', async () => {
  const payloads = await hear(shop.config.databaseUrl, 'catalogue', shop.log)
  const offer = await anOffer(shop)
  const wish = { selection: ofOffers(offer), set: { low_stock: 3 } }
  const { digest } = await preview(wish)
  const { changing } = await shop.database.transaction(async (tx) => {
    await lockPrices(tx)
    const changing = change(wish, digest)
    await untilWaiting(shop.database, 1)
    return { changing }
  })
  expect((await changing).body.data).toEqual({ changed: 1 })
  await expect.poll(() => payloads, { timeout: 30_000 }).toContain('offers')
})

test('turning off also ends that the shop would put it on sale again by itself; being popular does not', async () => {
  const offer = await aKeptOffOffer()
  const popular = { selection: ofOffers(offer), set: { is_popular: true } }
  await change(popular, (await preview(popular)).digest)
  expect(await stored(offer)).toMatchObject([{ is_popular: true, is_kept_off: true }])
  const off = { selection: ofOffers(offer), set: { is_active: false } }
  const seen = await preview(off)
  expect(seen.data).toMatchObject([{ before: { sale: 'kept_off' }, after: { sale: 'off' } }])
  await change(off, seen.digest)
  await shop.database.run(sql`UPDATE offer SET base_cost = 0.5 WHERE id = ${offer.id}`)
  await shop.database.transaction((tx) =>
    repriceOffers(tx, { offerIds: [offer.id] }, { adminId: null, because: 'costs' }),
  )
  expect(await stored(offer)).toMatchObject([{ is_active: false, is_kept_off: false }])
})

test.each([
  ['is popular already', (id: number) => sql`UPDATE offer SET is_popular = true WHERE id = ${id}`],
  ['has come to cost more', (id: number) => sql`UPDATE offer SET floor_usd = 900, floor_rub = 900 WHERE id = ${id}`],
  ['is gone', (id: number) => sql`UPDATE offer SET deleted_at = now(), is_active = false WHERE id = ${id}`],
])('changes nothing when one of them %s since it was seen', async (_what, move) => {
  const [one, two] = [await anOffer(shop), await anOffer(shop)]
  const ids = [one.id, two.id]
  await shop.database.run(sql`UPDATE offer SET is_active = false WHERE id = ANY (${ids}::int[])`)
  const wish = { selection: ofOffers(one, two), set: { is_active: true, is_popular: true } }
  const { digest } = await preview(wish)
  await shop.database.run(move(two.id))
  const answer = await change(wish, digest)
  expect([answer.status, answer.body.error.details]).toEqual([409, { reason: 'offers_moved' }])
  expect(await stored(one)).toMatchObject([{ is_active: false, is_popular: false }])
})

test('made by twenty admins at once is made once', async () => {
  const offer = await anOffer(shop)
  const wish = { selection: ofOffers(offer), set: { low_stock: 7 } }
  const { digest } = await preview(wish)
  const answers = await Promise.all(Array.from({ length: 20 }, () => change(wish, digest)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  expect(await audited(offer)).toHaveLength(1)
})

test.each([[{}], [{ low_stock: -1 }], [{ low_stock: 10_001 }], [{ price_usd: 1 }]])('%j is refused', async (set) => {
  const offer = await anOffer(shop)
  const answer = await call('/admin/offer-changes/preview', { wish: { selection: ofOffers(offer), set } })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
})

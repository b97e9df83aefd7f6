import { toCharge } from '@olmos/contract/charge'
import { parseDecimal } from '@olmos/contract/decimal'
import { toMajor } from '@olmos/contract/minor-units'
import { type ChargeCurrency, currencies } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'
import type { ShownCurrencyRate } from '@olmos/contract/rates'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { type Queries, sql } from '../../platform/database/queries.ts'
import { cacheRates } from './rates.routes.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

beforeEach(() =>
  shop.database.run(sql`UPDATE currency_rate SET rate = CASE to_currency WHEN 'UZS' THEN 12650.37 WHEN 'RUB' THEN 81.5
    ELSE rate END`),
)

const toRate = (rates: readonly ShownCurrencyRate[], wanted: ChargeCurrency) =>
  rates.find(({ currency }) => currency === wanted)?.rate

const changeRate = async (currency: string, rate: number) => {
  const { id } = await shop.database.one<{ id: number }>(
    sql`SELECT id FROM currency_rate WHERE to_currency = ${currency}`,
  )
  const body = { rate, confirmJump: true }
  expect((await shop.call('PUT', `/admin/currency-rates/${id}`, { token: admin.token, body })).status).toBe(200)
}

test('whatever an order costs, its price as pages show it is what a payment would charge', async () => {
  const { data: listed } = (await shop.call('GET', '/currency-rates')).body as { data: ShownCurrencyRate[] }
  const rates = new Map(listed.map(({ currency, rate }) => [currency, parseDecimal(rate) ?? 0n]))
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50_000_000 }),
      fc.constantFrom(...currencies),
      async (amount, currency) => {
        const query = `currency=${currency}&amount=${toMajor(amount).toFixed(2)}`
        const { body } = await shop.call('GET', `/payment/methods?${query}`)
        const charges = (body.data as OfferedMethod[]).map(({ charge }) => charge)
        expect(charges.some((charge) => charge.currency === 'UZS')).toBe(true)
        for (const charge of charges) {
          const shown = toCharge({ amount, currency }, charge.currency, rates)
          expect(shown && { ...shown, amount: toMajor(shown.amount) }).toEqual(charge)
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('currencies without a rate are not there, and no others than payments are charged in', async () => {
  const toShown = async () =>
    ((await shop.call('GET', '/currency-rates')).body.data as ShownCurrencyRate[]).map(({ currency }) => currency)
  expect(await toShown()).toEqual(['USD', 'RUB', 'UZS', 'KZT'])
  await shop.database.run(sql`UPDATE currency_rate SET to_currency = 'XXX' WHERE to_currency = 'KZT'`)
  expect(await toShown()).toEqual(['USD', 'RUB', 'UZS'])
  await shop.database.run(sql`UPDATE currency_rate SET to_currency = 'KZT' WHERE to_currency = 'XXX'`)
})

test('pages learn of a rate as soon as it is changed', async () => {
  const known = cacheRates(shop.database)
  shop.database.onOwnNotification({ catalogue: () => known.clear() })
  expect(toRate(await known.read(), 'UZS')).toBe('12650.37000000')
  await changeRate('UZS', 13_000)
  await vi.waitFor(async () => expect(toRate(await known.read(), 'UZS')).toBe('13000.00000000'))
})

test('pages have the last rates while they can not be read, and read them again after a while', async () => {
  let [reads, isBroken, now] = [0, false, 0]
  const queries = {
    rows: async () => {
      reads++
      if (isBroken) throw new Error('no database')
      return [{ from_currency: 'USD', to_currency: 'UZS', rate: '12000' }]
    },
  } as unknown as Queries
  const known = cacheRates(queries, () => now)
  for (const _ of [1, 2, 3]) expect(toRate(await known.read(), 'UZS')).toBe('12000.00000000')
  expect(reads).toBe(1)
  isBroken = true
  now += SERVER_LIMITS.ratesFreshMs
  expect(toRate(await known.read(), 'UZS')).toBe('12000.00000000')
  expect(reads).toBe(2)
  expect(await cacheRates(queries).read()).toEqual([])
})

test('a read that was under way when a rate changed does not outlast the change', async () => {
  const answers: ((rate: string) => void)[] = []
  const queries = {
    rows: async () => {
      const rate = await new Promise<string>((answer) => answers.push(answer))
      return [{ from_currency: 'USD', to_currency: 'UZS', rate }]
    },
  } as unknown as Queries
  const known = cacheRates(queries)
  const before = known.read()
  known.clear()
  const after = known.read()
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  answers[1]?.('2')
  expect(toRate(await after, 'UZS')).toBe('2.00000000')
  answers[0]?.('1')
  await before
  expect(toRate(await known.read(), 'UZS')).toBe('2.00000000')
})

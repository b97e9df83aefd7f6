import { toCharge } from '@olmos/contract/charge'
import { type Decimal, one, parseDecimal } from '@olmos/contract/decimal'
import { type ChargeCurrency, type Currency, chargeCurrencies, currencies } from '@olmos/contract/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BothAmounts, bookedForRefund, chargeToRefund, toBooked } from './charge.rules.ts'

const rates = new Map<string, Decimal>([
  ['USD', one],
  ['RUB', 80n * one],
  ['UZS', parseDecimal('12650.37') ?? 0n],
  ['KZT', 520n * one],
])

test.each<[number, Currency, ChargeCurrency, number, string | null]>([
  [1_000, 'USD', 'USD', 1_000, null],
  [1_000, 'USD', 'UZS', 12_650_400, '12650.37000000'],
  [1, 'USD', 'UZS', 12_700, '12650.37000000'],
  [999, 'USD', 'KZT', 519_500, '520.00000000'],
  [8_000, 'RUB', 'UZS', 1_265_100, '158.12962500'],
  [8_000, 'RUB', 'USD', 100, '0.01250000'],
  [1, 'RUB', 'USD', 1, '0.01250000'],
  [1_000, 'USD', 'RUB', 80_000, '80.00000000'],
])('%i of %s is charged in %s as %i', (amount, currency, charged, expected, rate) => {
  expect(toCharge({ amount, currency }, charged, rates)).toEqual({ amount: expected, currency: charged, rate })
})

test('without a rate nothing is charged', () => {
  expect(toCharge({ amount: 1, currency: 'USD' }, 'UZS', new Map([['USD', one]]))).toBeUndefined()
})

const money = fc.record({ amount: fc.integer({ min: 1, max: 100_000_000 }), currency: fc.constantFrom(...currencies) })
const somePayment = fc
  .tuple(money, fc.constantFrom(...chargeCurrencies), fc.bigInt({ min: one / 1_000n, max: 50_000n * one }))
  .map(([wanted, currency, rate]) => {
    const charge = toCharge(
      wanted,
      currency,
      new Map([
        ['USD', one],
        ['RUB', 91n * one],
        ['UZS', rate],
        ['KZT', rate],
      ]),
    )
    if (!charge) throw new Error('no charge')
    return {
      ...wanted,
      charge_amount: charge.amount,
      charge_currency: charge.currency,
      charge_rate: charge.rate,
    }
  })

describe('whatever the rate', () => {
  test('a charge is never below the price, and less than one step above it; nobody is charged in tiyin', () => {
    fc.assert(
      fc.property(somePayment, ({ amount, charge_amount, charge_currency, charge_rate }) => {
        const exact = BigInt(amount) * (charge_rate === null ? one : (parseDecimal(charge_rate) ?? 0n))
        const step = ['UZS', 'KZT'].includes(charge_currency) ? 100 : 1
        const charged = BigInt(charge_amount) * one
        expect(charged >= exact && charged - exact < BigInt(step) * one).toBe(true)
        expect(charge_rate === null || charge_amount % step === 0).toBe(true)
      }),
    )
  })

  test('what was charged books the price, and another amount never more than it is worth', () => {
    fc.assert(
      fc.property(somePayment, fc.integer({ min: 1, max: 2_000_000_000 }), (payment, came) => {
        const { amount, currency, charge_amount, charge_currency, charge_rate } = payment
        const exactly = { amount: charge_amount, currency: charge_currency }
        expect(toBooked(payment, exactly)).toEqual({ amount, currency })
        if (charge_rate === null || came === charge_amount) return
        const booked = toBooked(payment, { amount: came, currency: charge_currency })
        const worth = (BigInt(came) * one) / (parseDecimal(charge_rate) ?? one)
        expect(booked).toEqual(worth === 0n ? undefined : { amount: Number(worth), currency })
      }),
    )
  })
})

test.each([
  ['nothing', { amount: 0, currency: 'UZS' }, undefined],
  ['soums for less than a cent', { amount: 100, currency: 'UZS' }, undefined],
  ['roubles', { amount: 100, currency: 'RUB' }, { amount: 100, currency: 'RUB' }],
  ['tenge', { amount: 100, currency: 'KZT' }, undefined],
])('a payment in soums to which %s came', (_what, told, booked) => {
  const charge = { charge_amount: 12_700, charge_currency: 'UZS', charge_rate: '12650.37' } as const
  expect(toBooked({ amount: 1, currency: 'USD', ...charge }, told)).toEqual(booked)
})

/** A payment, and the parts of it that are refunded one after the other, by the store or in the provider's cabinet. */
const someRefunds = fc.tuple(
  somePayment,
  fc.array(fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), isOutside: fc.boolean() }), {
    maxLength: 12,
  }),
)

describe('refunds of one payment, in whatever parts', () => {
  test('give back exactly what was charged, and never more; the books follow', () => {
    fc.assert(
      fc.property(someRefunds, ([payment, parts]) => {
        const { amount, charge_amount, charge_currency: currency } = payment
        const paid = { booked: amount, charged: charge_amount, currency }
        const before: BothAmounts = { booked: 0, charged: 0 }
        for (const { share, isOutside } of [...parts, { share: 1, isOutside: parts.length % 2 === 0 }]) {
          const left = isOutside ? paid.charged - before.charged : paid.booked - before.booked
          const part = Math.min(left, Math.ceil(left * share))
          if (part === 0) continue
          const booked = isOutside ? bookedForRefund(paid, before, part) : part
          const charged = isOutside ? part : chargeToRefund(paid, before, part)
          expect(booked).toBeGreaterThanOrEqual(0)
          expect(charged).toBeGreaterThanOrEqual(0)
          // The store refuses to send nothing.
          if (charged === 0) continue
          before.booked += booked
          before.charged += charged
          expect(before.booked).toBeLessThanOrEqual(paid.booked)
          expect(before.charged).toBeLessThanOrEqual(paid.charged)
          expect(before.booked === paid.booked).toBe(before.charged === paid.charged)
        }
        expect(before).toEqual({ booked: paid.booked, charged: paid.charged })
      }),
    )
  })
})

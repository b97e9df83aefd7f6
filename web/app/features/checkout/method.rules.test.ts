import type { ChargeCurrency } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'
import { describe, expect, test } from 'vitest'
import { chargeWithoutFee, findBrokenBound, pickMethod, seenFee } from './method.rules.ts'

type Wish = Partial<Omit<OfferedMethod, 'charge'>> & { charge?: Partial<OfferedMethod['charge']> }

const aMethod = (name: string, { charge, ...wish }: Wish = {}): OfferedMethod => ({
  name,
  title: null,
  marks: ['card'],
  charge_currencies: ['RUB'],
  charge: { currency: 'RUB', rate: null, amount: 99, ...charge },
  least: null,
  most: null,
  fee: null,
  needs: [],
  ...wish,
})

test.each([
  ['nothing', {}, undefined],
  ['its least itself', { least: 99 }, undefined],
  ['more than that', { least: 99.01 }, { kind: 'least', amount: 99.01, currency: 'RUB' }],
  ['its most itself', { most: 99 }, undefined],
  ['less than that', { most: 98.99 }, { kind: 'most', amount: 98.99, currency: 'RUB' }],
  ['a least, while the charge is not known', { least: 100, charge: { amount: null } }, undefined],
])('a charge of 99 where the method wants %s', (_what, wish, bound) => {
  expect(findBrokenBound(aMethod('one', wish))).toEqual(bound)
})

describe('the method that is marked as chosen', () => {
  const soums = aMethod('soums', { charge: { currency: 'UZS', rate: '158', amount: 15_700 } })
  const roubles = aMethod('roubles')
  const large = aMethod('large', { least: 1_000 })

  test.each([
    ['the remembered one', [soums, roubles], 'soums', 'soums'],
    ['else the first that charges the currency of the order', [soums, roubles], undefined, 'roubles'],
    ['not one that is gone', [soums, roubles], 'gone', 'roubles'],
    ['not one that takes no amount that small', [large, soums, roubles], 'large', 'roubles'],
    ['else the first that is possible', [large, soums], undefined, 'soums'],
    ['the first, where none is possible', [large], undefined, 'large'],
    ['none of no methods', [], 'soums', undefined],
  ])('is %s', (_what, methods, remembered, name) => {
    expect(pickMethod(methods, { remembered, charged: ['RUB'] })?.name).toBe(name)
  })

  test('is the first that charges what the customer sees prices in', () => {
    const picked = (charged: ChargeCurrency[]) => pickMethod([roubles, soums], { remembered: undefined, charged })?.name
    expect(picked(['UZS', 'RUB'])).toBe('soums')
    expect(picked(['KZT', 'RUB'])).toBe('roubles')
  })
})

const withFee = (fee: number | null) => aMethod('one', { fee })

test.each([
  ['the fee of the chosen method', withFee(3.48), false, 3.48],
  ['none where it costs nothing', withFee(null), false, undefined],
  ['none while the amount is another', withFee(3.48), true, undefined],
  ['none where nobody knows the methods', undefined, false, undefined],
])('a customer has seen %s', (_what, chosen, isStale, fee) => {
  expect(seenFee({ chosen, isStale })).toBe(fee)
})

test('the total is what is charged only where nothing comes on top', () => {
  expect(chargeWithoutFee(withFee(null))).toMatchObject({ amount: 99 })
  expect(chargeWithoutFee(withFee(1))).toBeUndefined()
  expect(chargeWithoutFee(undefined)).toBeUndefined()
})

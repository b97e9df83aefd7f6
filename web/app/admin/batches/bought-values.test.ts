import { expect, test } from 'vitest'
import { nothingBought, sentBought, toBought } from './bought-values.ts'

test('a form that nobody filled in says nothing', () => {
  expect(sentBought(nothingBought)).toBeUndefined()
})

test.each([
  [0.845, '0.845'],
  [0.000_000_12, '0.00000012'],
  [12, '12'],
  [0, '0'],
  ['0.10', '0.10'],
])('a cost of %s is sent as %s, and never as a float', (cost, sent) => {
  expect(sentBought({ ...nothingBought, cost })).toEqual({ cost: sent, currency: 'USD' })
})

test('what is known besides the cost is said without one', () => {
  const values = { ...nothingBought, supplier: ' Wholesale ', invoice: 'A-1', expires_on: '2030-01-01' }
  expect(sentBought(values)).toEqual({ supplier: 'Wholesale', invoice: 'A-1', expires_on: '2030-01-01' })
})

test('a cost that is taken out is unknown', () => {
  expect(toBought(nothingBought)).toEqual({ cost: null, currency: null, supplier: '', invoice: '', expires_on: null })
})

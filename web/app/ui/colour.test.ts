import { expect, test } from 'vitest'
import { darker, readableOn } from './colour.ts'

test.each([
  ['#ffffff', '#b3b3b3', 'black'],
  ['#000000', '#000000', 'white'],
  ['#ff0000', '#b30000', 'white'],
  ['#ffd400', '#b39400', 'black'],
  ['not a colour', '#000000', 'white'],
])('%s gets darker as %s and is read in %s', (colour, shade, text) => {
  expect(darker(colour)).toBe(shade)
  expect(readableOn(colour)).toBe(text)
})

import { describe, expect, test } from 'vitest'
import { contrast, findUnreadable, firstThemes, makeTheme, measureColors, type OwnColors } from './look.ts'

const none: OwnColors = { accent_dark: null, ground_dark: null, accent_light: null, ground_light: null }
const withColors = (own: Partial<OwnColors>): OwnColors => ({ ...none, ...own })

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  // As WebAIM's checker has them.
  ['#777777', '#ffffff', 4.48],
  ['#767676', '#ffffff', 4.54],
  ['#0000ff', '#ffffff', 8.59],
])('the contrast of %s and %s is %s', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2)
  expect(contrast(other, one)).toBe(contrast(one, other))
})

describe('without colours of its own', () => {
  test.each(['dark', 'light'] as const)('a shop has the store’s %s theme, and nothing to measure', (scheme) => {
    expect({ ...firstThemes[scheme], ...makeTheme(scheme, none) }).toEqual(firstThemes[scheme])
    expect(measureColors(scheme, none)).toEqual([])
  })
})

describe('an accent', () => {
  test.each([
    ['#ffd400', '#0a0b0e'],
    ['#1d4ed8', '#ffffff'],
    ['#757575', '#ffffff'],
    // Neither white nor the store's ink is read on it.
    ['#777777', '#000000'],
  ])('of %s has %s written on it, which is always read', (accent, ink) => {
    const theme = makeTheme('dark', withColors({ accent_dark: accent }))
    expect([theme.accent, theme.onAccent]).toEqual([accent, ink])
    expect(contrast(theme.onAccent, theme.accent)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(theme.onAccent, theme.accentHover)).toBeGreaterThanOrEqual(contrast(theme.onAccent, theme.accent))
  })

  test('of any grey is read, whatever is written on it', () => {
    for (let grey = 0; grey < 256; grey++) {
      const accent = `#${grey.toString(16).padStart(2, '0').repeat(3)}`
      const [measured] = measureColors('light', withColors({ accent_light: accent }))
      expect(measured).toMatchObject({ field: 'accent_light', pair: 'text_on_accent' })
      expect(measured?.ratio, accent).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each<[OwnColors, object[]]>([
    [withColors({ accent_dark: '#ffd400', accent_light: '#1d4ed8' }), []],
    // One colour is seldom seen on both grounds.
    [
      withColors({ accent_light: '#ffd400' }),
      [{ field: 'accent_light', pair: 'accent_on_ground', ratio: 1.14, least: 3 }],
    ],
    [
      withColors({ accent_dark: '#1b1f2a' }),
      [{ field: 'accent_dark', pair: 'accent_on_ground', ratio: 1.05, least: 3 }],
    ],
  ])('has to be seen on the ground of its theme: %o', (own, unreadable) => {
    expect(findUnreadable(own)).toEqual(unreadable)
  })
})

describe('a ground', () => {
  test('brings its surfaces and lines along', () => {
    const { surface, raised, line } = makeTheme('dark', withColors({ ground_dark: '#0b1026' }))
    for (const [one, other] of [
      [surface, '#0b1026'],
      [raised, surface],
      [line, raised],
    ] as const)
      expect(contrast(one, other)).toBeGreaterThan(1.07)
    expect(makeTheme('light', withColors({ ground_dark: '#0b1026' })).ground).toBe(firstThemes.light.ground)
  })

  test.each<[OwnColors, string[]]>([
    [withColors({ ground_dark: '#0b1026', ground_light: '#eef2ff' }), []],
    [withColors({ ground_dark: '#ffffff' }), ['accent_on_ground', 'text_on_ground']],
    [withColors({ ground_light: '#777777' }), ['text_on_ground', 'edge_on_ground']],
    // The accent is named where both are the owner's.
    [withColors({ ground_light: '#ffffff', accent_light: '#fafafa' }), ['accent_on_ground']],
  ])('lets everything be read that stands on it: %o', (own, pairs) => {
    const found = findUnreadable(own)
    expect(found.map(({ pair }) => pair)).toEqual(pairs)
    for (const { ratio, least } of found) expect(ratio).toBeLessThan(least)
  })
})

import { readFileSync } from 'node:fs'
import { contrast, firstThemes } from '@olmos/contract/look'
import { describe, expect, test } from 'vitest'
import { theme } from './theme.ts'

const styles = readFileSync(new URL('theme.css', import.meta.url), 'utf8')

/** Reads the tokens of one of the two themes. */
function readTokens(scheme: string): Map<string, string> {
  const [, block = ''] = styles.split(`html:root[data-mantine-color-scheme="${scheme}"] {`)
  const lines = block.slice(0, block.indexOf('}')).matchAll(/--(?:olmos|mantine-color)-([\w-]+): (#[0-9a-f]{6});/g)
  return new Map([...lines].map(([, name = '', value = '']) => [name, value]))
}

const grounds = ['body', 'surface', 'surface-raised']
const words = ['text', 'dimmed', 'placeholder', 'anchor', 'good', 'wait', 'bad', 'error']
const edges = ['control', 'default-border', 'accent']

describe.each(['dark', 'light'] as const)('in the %s theme', (scheme) => {
  const tokens = readTokens(scheme)
  const read = (name: string) => tokens.get(name) ?? '#000000'

  test.each(grounds)('text is read on %s, and the edge of a control is seen', (ground) => {
    const faint = words.filter((name) => contrast(read(name), read(ground)) < 4.5)
    const unseen = edges.filter((name) => contrast(read(name), read(ground)) < 3)
    expect({ faint, unseen }).toEqual({ faint: [], unseen: [] })
  })

  test('the grounds are steps that can be told apart', () => {
    const steps = grounds.slice(1).map((name, at) => contrast(read(name), read(grounds[at] ?? '')))
    for (const step of steps) expect(step).toBeGreaterThan(1.08)
    expect(contrast(read('surface-raised'), read('surface'))).toBeGreaterThan(1.13)
  })

  test('its tokens are those that an owner’s colours are measured with', () => {
    const first = firstThemes[scheme]
    const names = {
      accent: first.accent,
      'on-accent': first.onAccent,
      body: first.ground,
      surface: first.surface,
      'surface-raised': first.raised,
      line: first.line,
      text: first.text,
      dimmed: first.dimmed,
      control: first.control,
    }
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, tokens.get(name)]))).toEqual(names)
    expect(first.words).toEqual([...new Set(words.map(read))])
    const hover = scheme === 'dark' ? theme.colors?.acid?.[7] : theme.colors?.ink?.[8]
    expect(first.accentHover).toBe(hover)
  })

  test('the accent is read, and is the one that parts of Mantine have', () => {
    expect(contrast(read('accent'), read('on-accent'))).toBeGreaterThan(7)
    const [tuple, shade] = scheme === 'dark' ? [theme.colors?.acid, 6] : [theme.colors?.ink, 7]
    expect(tuple?.[shade]).toBe(read('accent'))
  })
})

test('numbers stand in columns only where there are columns, and where they count down', () => {
  const rules = styles.matchAll(/([^{}]+)\{[^{}]*tabular-nums/g)
  expect([...rules].map(([, selector = '']) => selector.replace(/\/\*.*?\*\//gs, '').trim())).toEqual([
    'td,\nth,\n[role="timer"]',
  ])
})

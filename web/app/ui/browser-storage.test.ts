import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { TextStorage } from './browser-storage.ts'

/** The module as a page begins with it, above a storage of the browser. */
async function lastingAbove(localStorage: () => TextStorage | null): Promise<TextStorage> {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: localStorage })
  vi.resetModules()
  return (await import('./browser-storage.ts')).lastingStorage
}

const kept = new Map<string, string>()
const working: TextStorage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, text) => void kept.set(name, text),
  removeItem: (name) => void kept.delete(name),
}
const refuse = () => {
  throw new Error('SecurityError')
}
const full: TextStorage = { ...working, setItem: refuse }

beforeEach(() => kept.clear())
const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
afterAll(() => {
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
})

test('what is written goes to the browser, where other pages find it, and is forgotten when the browser is cleared', async () => {
  const storage = await lastingAbove(() => working)
  storage.setItem('token', 'a')
  expect(kept.get('token')).toBe('a')
  kept.clear()
  expect(storage.getItem('token')).toBeNull()
})

test.each([
  ['throws at every touch', refuse],
  ['is not there', () => null],
  ['is full', () => full],
])('where the storage %s, what is written can be read and removed for as long as the page lives', async (_, open) => {
  const storage = await lastingAbove(open)
  expect(storage.getItem('token')).toBeNull()
  storage.setItem('token', 'a')
  storage.setItem('token', 'b')
  expect(storage.getItem('token')).toBe('b')
  storage.removeItem('token')
  expect(storage.getItem('token')).toBeNull()
})

test('a full storage does not bring back what it had before', async () => {
  kept.set('language', 'ru')
  const storage = await lastingAbove(() => full)
  storage.setItem('language', 'en')
  expect(kept.has('language')).toBe(false)
  expect(storage.getItem('language')).toBe('en')
})

test('nothing else in the shop touches a storage of the browser', () => {
  const root = new URL('..', import.meta.url).pathname
  // The others are scripts of their own, which run before anything is loaded.
  const allowed = ['ui/browser-storage.ts', 'pages/layout/ScrollPosition.tsx', 'start-page.ts']
  const touching = globSync('**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !allowed.includes(file))
    .filter((file) =>
      /\b(local|session)Storage\b|use(Local|Session)Storage|<ScrollRestoration/.test(
        readFileSync(`${root}${file}`, 'utf8'),
      ),
    )
  expect(touching).toEqual([])
})

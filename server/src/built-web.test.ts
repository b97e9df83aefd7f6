import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const file = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

// A process of its own, because what is loaded is loaded once for a process.
const script = `
  const { openBuiltWeb } = await import(${file('./built-web.ts')})
  await openBuiltWeb(new URL(${file('../test/doubles/react-web/')}))
  const { Module } = await import('node:module')
  const isReact = (path) => /react-dom-server|react\\.(production|development)/.test(path)
  const loaded = Object.keys(Module._cache).filter((path) => Module._cache[path].loaded && isReact(path))
  console.log(JSON.stringify({ loaded, setting: process.env.NODE_ENV ?? null }))`

test.each([undefined, 'development'])('React is loaded as its production build when NODE_ENV is %s', (setting) => {
  const { NODE_ENV: _, ...env } = process.env
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...env, ...(setting && { NODE_ENV: setting }) },
  })
  const seen: { loaded: string[]; setting: string | null } = JSON.parse(out)
  expect(seen.setting).toBe(setting ?? null)
  expect(seen.loaded.length).toBeGreaterThan(0)
  expect(seen.loaded.filter((path) => !path.includes('production'))).toEqual([])
})

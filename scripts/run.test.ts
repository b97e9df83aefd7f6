import { afterEach, expect, test, vi } from 'vitest'
import { findNode } from './run.mjs'

afterEach(() => vi.unstubAllEnvs())

test.each([
  ['npm runs on a new enough one', 'npm/11.19.1 node/v24.20.0 linux x64 workspaces/false', '/usr/bin/node'],
  ['npm runs on a newer one', 'npm/12.0.0 node/v26.12.1 darwin arm64 workspaces/false', '/usr/bin/node'],
  ['npm runs on an older one', 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false', process.execPath],
  ['npm says nothing of itself', '', process.execPath],
])('when %s the store runs on the right Node.js', (_when, agent, expected) => {
  vi.stubEnv('npm_node_execpath', '/usr/bin/node')
  vi.stubEnv('npm_config_user_agent', agent)
  expect(findNode()).toBe(expected)
})

test('without npm the store runs on what runs this', () => {
  vi.stubEnv('npm_node_execpath', undefined)
  expect(findNode()).toBe(process.execPath)
})

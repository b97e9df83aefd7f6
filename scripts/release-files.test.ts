import { expect, test } from 'vitest'
import { isForDevelopers, isTest } from './release-files.mjs'

test.each([
  ['zod/index.js', false],
  ['zod/src/index.ts', true],
  ['zod/LICENSE.md', false],
  ['zod/README.md', true],
  ['pg/lib/index.d.ts', true],
  ['@fastify/send/test/send.js', true],
  ['@fastify/send/lib/test/send.js', false],
  ['@fastify/send/node_modules/events/tests/all.js', true],
  ['pino/docs/LICENSE', false],
  ['pg-protocol/dist/parser.test.js', true],
  ['sonic/dist/index.js.map', true],
  // A package may have such a name itself.
  ['test/index.js', false],
])('%s of a package is only for developers: %s', (path, expected) => {
  expect(isForDevelopers(path)).toBe(expected)
})

test.each([
  ['server/src/app.ts', false],
  ['server/src/access.test.ts', true],
  ['server/src/platform/database/pg-utils.d.ts', true],
  ['web/build/client/assets/latest.js', false],
])('%s of the sources is only for developers: %s', (path, expected) => {
  expect(isTest(path)).toBe(expected)
})

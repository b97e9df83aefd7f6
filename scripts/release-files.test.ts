import { expect, test } from 'vitest'
import { isForDevelopers, isTest, keepPlaces } from './release-files.mjs'

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

test.each([
  ['server/src/built-web.ts', './render-web.ts', './render-web.js'],
  ['server/src/modules/operations/backup-copies.ts', '../../cli.ts', './cli.js'],
  ['server/src/built-web.ts', '../../web/build/', '../../web/build/'],
  ['server/src/platform/database/migrate.ts', '../../../migrations/', '../migrations/'],
  ['server/src/platform/process.ts', '../../../commit.txt', '../../commit.txt'],
])('what %s calls %s is %s for the program of a release', (path, named, expected) => {
  const placed = (place: string) => `const place = new URL('${place}', import.meta.url)`
  expect(keepPlaces(placed(named), path)).toBe(placed(expected))
})

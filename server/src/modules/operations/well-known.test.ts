import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../../../package.json' with { type: 'json' }
import { startShop, type TestShop } from '../../../test/shop.ts'
import { readConfig } from '../../config.ts'
import { readCommit } from '../../platform/process.ts'

let shop: TestShop
const contact = 'security@shop.example'
beforeAll(async () => {
  shop = await startShop({ SECURITY_CONTACT: contact, PUBLIC_URL: 'http://localhost:3999/' })
})
afterAll(() => shop.close())

const readFile = ({ app }: TestShop) => app.inject({ method: 'GET', url: '/.well-known/security.txt' })

describe('security.txt', () => {
  test('names the contact, and expires within a year', async () => {
    const { statusCode, headers, body } = await readFile(shop)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = Object.fromEntries(
      body
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/)),
    )
    expect(fields).toMatchObject({
      Contact: `mailto:${contact}`,
      'Preferred-Languages': 'ru, en, uz',
      Canonical: 'http://localhost:3999/.well-known/security.txt',
    })
    const days = (Date.parse(fields.Expires) - Date.now()) / (24 * 3_600_000)
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })

  test('is not there without a contact, and says which setting it takes', async () => {
    const silent = await startShop()
    const { statusCode, body } = await readFile(silent)
    await silent.close()
    expect([statusCode, body]).toEqual([
      404,
      'This shop names nobody for reports: its operator sets SECURITY_CONTACT.\n',
    ])
  })

  test.each([
    ['a@b.example', 'mailto:a@b.example'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['https://shop.example/report', 'https://shop.example/report'],
    ['tel:+998-71-000-00-00', 'tel:+998-71-000-00-00'],
  ])('a contact may be %s', (text, read) => {
    expect(readConfig({ SECURITY_CONTACT: text }).securityContact).toBe(read)
  })

  test.each(['me', 'http://shop.example', 'a@b.example\nContact: https://other.example', 'https://a.example b'])(
    'a contact may not be %j',
    (text) => {
      expect(() => readConfig({ SECURITY_CONTACT: text })).toThrow(/^The setting SECURITY_CONTACT is wrong: it must be/)
    },
  )
})

test('anybody may read which version and build this is', async () => {
  const { body } = await shop.call('GET', '/health')
  expect(body).toEqual({ status: 'ok', version: packageJson.version, build: null })
})

test('the commit is what a release wrote down, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-build-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = pathToFileURL(join(folder, 'commit.txt'))
  expect(readCommit(file)).toBe(null)
  await writeFile(file, '3fbacd5d1e2f4a5b6c7d8e9f0a1b2c3d4e5f6a7b\n')
  expect(readCommit(file)).toBe('3fbacd5d1e2f')
  await writeFile(file, 'version="1"\n')
  expect(readCommit(file)).toBe(null)
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { supplierBenches } from '../../../test/supplier-benches.ts'
import { readConfig } from '../../config.ts'
import { supplierAdapters } from './suppliers.ts'

const docs = readFileSync(new URL('../../../../docs/suppliers.md', import.meta.url), 'utf8')

// No company is behind `manual` that could be asked.
describe.each(supplierAdapters.filter(({ name }) => name !== 'manual'))('$name', ({ name, settings }) => {
  test('is held to the contract suite', () => {
    expect(Object.keys(supplierBenches).map((bench) => bench.split(' ')[0])).toContain(name)
  })

  test('is in the docs, with each of its settings', () => {
    expect(docs).toContain(`\n| \`${name}\` |`)
    for (const setting of Object.keys(settings.shape)) expect(docs).toContain(setting)
  })
})

/** The suppliers that an environment chooses, in the order in which they are asked. */
const chosenIn = (environment: Record<string, string | undefined>) =>
  readConfig(environment).suppliers.map(({ name }) => name)

const full = {
  FAZERCARDS_API_KEY: 'key',
  FAZERCARDS_WEBHOOK_SECRET: 'secret',
  G2BULK_API_KEY: 'key',
  KINGUIN_API_KEY: 'key',
  KINGUIN_WEBHOOK_SECRET: 'secret',
  SEAGM_UID: '10001',
  SEAGM_SECRET_KEY: 'secret',
}

describe('a supplier without its secrets does not start', () => {
  test.each([
    ['fazercards', 'FAZERCARDS_API_KEY'],
    ['fazercards', 'FAZERCARDS_WEBHOOK_SECRET'],
    ['g2bulk', 'G2BULK_API_KEY'],
    ['kinguin', 'KINGUIN_API_KEY'],
    ['kinguin', 'KINGUIN_WEBHOOK_SECRET'],
    ['seagm', 'SEAGM_UID'],
    ['seagm', 'SEAGM_SECRET_KEY'],
  ])('%s needs %s', (supplier, setting) => {
    const settings = { ...full, SUPPLIERS: supplier }
    expect(chosenIn(settings)).toEqual([supplier])
    for (const missing of ['', undefined]) {
      expect(() => readConfig({ ...settings, [setting]: missing })).toThrow(
        `The setting ${setting} is missing: SUPPLIERS has ${supplier}.`,
      )
    }
  })

  test.each(['digiflazz', 'fazercards;kinguin'])('SUPPLIERS=%s is refused', (names) => {
    expect(() => readConfig({ ...full, SUPPLIERS: names })).toThrow('must be none, or a list')
  })
})

describe('the sandbox', () => {
  const production = { NODE_ENV: 'production', PAYMENT_PROVIDERS: 'none' }

  test('is what an unconfigured shop has', () => expect(chosenIn({})).toEqual(['sandbox']))

  test('is refused in production unless it is asked for by name', () => {
    expect(() => readConfig(production)).toThrow(
      'The setting SUPPLIERS is wrong: the sandbox delivers nothing real and NODE_ENV=production lets strangers in, so set fazercards, g2bulk, kinguin, seagm, manual or none (or ALLOW_SANDBOX=1 for a shop that sells nothing real).',
    )
    expect(chosenIn({ ...production, ALLOW_SANDBOX: '1' })).toEqual(['sandbox'])
    expect(chosenIn({ ...production, SUPPLIERS: 'none' })).toEqual([])
    expect(chosenIn({ ...production, ...full, SUPPLIERS: 'kinguin, manual' })).toEqual(['kinguin', 'manual'])
  })
})

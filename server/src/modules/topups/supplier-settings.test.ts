import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'

const full = {
  FAZERCARDS_API_KEY: 'key',
  FAZERCARDS_WEBHOOK_SECRET: 'secret',
  KINGUIN_API_KEY: 'key',
  KINGUIN_WEBHOOK_SECRET: 'secret',
}

describe('a supplier without its secrets does not start', () => {
  test.each([
    ['fazercards', 'FAZERCARDS_API_KEY'],
    ['fazercards', 'FAZERCARDS_WEBHOOK_SECRET'],
    ['kinguin', 'KINGUIN_API_KEY'],
    ['kinguin', 'KINGUIN_WEBHOOK_SECRET'],
  ])('%s needs %s', (supplier, setting) => {
    const settings = { ...full, SUPPLIERS: supplier }
    expect(readConfig(settings).suppliers.suppliers).toEqual([supplier])
    for (const missing of ['', undefined]) {
      expect(() => readConfig({ ...settings, [setting]: missing })).toThrow(`The setting ${setting} is missing`)
    }
  })

  test.each(['g2bulk', 'fazercards;kinguin'])('SUPPLIERS=%s is refused', (names) => {
    expect(() => readConfig({ ...full, SUPPLIERS: names })).toThrow('must be none, or a list')
  })
})

describe('the sandbox', () => {
  const production = { NODE_ENV: 'production', PAYMENT_PROVIDERS: 'none' }

  test('is what an unconfigured shop has', () => expect(readConfig({}).suppliers.suppliers).toEqual(['sandbox']))

  test('is refused in production unless it is asked for by name', () => {
    expect(() => readConfig(production)).toThrow('The setting SUPPLIERS is wrong')
    expect(readConfig({ ...production, ALLOW_SANDBOX: '1' }).suppliers.suppliers).toEqual(['sandbox'])
    expect(readConfig({ ...production, SUPPLIERS: 'none' }).suppliers.suppliers).toEqual([])
    expect(readConfig({ ...production, ...full, SUPPLIERS: 'kinguin, manual' }).suppliers.suppliers).toEqual([
      'kinguin',
      'manual',
    ])
  })
})

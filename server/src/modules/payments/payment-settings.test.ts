import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { isFrom, readAddresses } from './webhook-auth.rules.ts'

const full = {
  YOOKASSA_SHOP_ID: '1',
  YOOKASSA_SECRET_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk',
  STRIPE_WEBHOOK_SECRET: 'whsec',
}

describe('a provider without its secrets does not start', () => {
  test.each([
    ['yookassa', 'YOOKASSA_SHOP_ID'],
    ['yookassa', 'YOOKASSA_SECRET_KEY'],
    ['stripe', 'STRIPE_SECRET_KEY'],
    ['stripe', 'STRIPE_WEBHOOK_SECRET'],
  ])('%s needs %s', (provider, setting) => {
    const settings = { ...full, PAYMENT_PROVIDERS: provider }
    expect(readConfig(settings).payments.providers).toEqual([provider])
    for (const missing of ['', undefined]) {
      expect(() => readConfig({ ...settings, [setting]: missing })).toThrow(`The setting ${setting} is missing`)
    }
  })

  test.each([
    ['paypal', 'must be none, or a list'],
    ['stripe;yookassa', 'must be none, or a list'],
  ])('PAYMENT_PROVIDERS=%s is refused', (names, message) => {
    expect(() => readConfig({ ...full, PAYMENT_PROVIDERS: names })).toThrow(message)
  })

  test('addresses that are none are refused', () => {
    expect(() => readConfig({ YOOKASSA_ADDRESSES: '10.0.0.0/8,example.com' })).toThrow('YOOKASSA_ADDRESSES')
  })
})

describe('the sandbox', () => {
  const production = { NODE_ENV: 'production', SUPPLIERS: 'none' }

  test('is what an unconfigured shop has', () => expect(readConfig({}).payments.providers).toEqual(['sandbox']))

  test('is refused in production unless it is asked for by name', () => {
    expect(() => readConfig(production)).toThrow('PAYMENT_PROVIDERS')
    expect(readConfig({ ...production, ALLOW_SANDBOX: '1' }).payments.providers).toEqual(['sandbox'])
    expect(readConfig({ ...production, PAYMENT_PROVIDERS: 'none' }).payments.providers).toEqual([])
    expect(readConfig({ ...production, ...full, PAYMENT_PROVIDERS: 'stripe, yookassa' }).payments.providers).toEqual([
      'stripe',
      'yookassa',
    ])
  })
})

describe('addresses', () => {
  const yookassa = readAddresses(
    readConfig({ ...full, PAYMENT_PROVIDERS: 'yookassa' }).payments.yookassa?.addresses ?? [],
  )

  test.each([
    ['185.71.76.1', true],
    ['185.71.76.31', true],
    ['185.71.76.32', false],
    ['77.75.156.11', true],
    ['77.75.156.12', false],
    ['::ffff:77.75.156.35', true],
    ['2a02:5180::1', true],
    ['2a02:5181::1', false],
    ['127.0.0.1', false],
    ['not an address', false],
    ['', false],
  ])('%s is of YooKassa: %s', (address, expected) => {
    expect(yookassa && isFrom(yookassa, address)).toBe(expected)
  })
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { askedBenches } from '../../../test/asked-benches.ts'
import { benches } from '../../../test/provider-benches.ts'
import { readConfig } from '../../config.ts'
import { isFrom, readAddresses } from '../../platform/http/headers.ts'
import { providerAdapters } from './providers.ts'

const docs = readFileSync(new URL('../../../../docs/payments.md', import.meta.url), 'utf8')

describe.each(providerAdapters)('$name', ({ name, settings }) => {
  test('is held to the contract suite', () => expect(Object.keys({ ...benches, ...askedBenches })).toContain(name))

  test('is in the docs, with each of its settings', () => {
    expect(docs).toContain(`\n| \`${name}\` |`)
    for (const setting of Object.keys(settings.shape)) expect(docs).toContain(setting)
  })
})

/** The providers that an environment chooses, in the order of preference. */
const chosenIn = (environment: Record<string, string | undefined>) =>
  readConfig(environment).payments.map(({ name }) => name)

const full = {
  YOOKASSA_SHOP_ID: '1',
  YOOKASSA_SECRET_KEY: 'secret',
  STRIPE_SECRET_KEY: 'sk',
  STRIPE_WEBHOOK_SECRET: 'whsec',
  TBANK_TERMINAL_KEY: 'TinkoffBankTest',
  TBANK_PASSWORD: 'password',
  CRYPTOPAY_TOKEN: '1:AA',
}

describe('a provider without its secrets does not start', () => {
  test.each([
    ['yookassa', 'YOOKASSA_SHOP_ID'],
    ['yookassa', 'YOOKASSA_SECRET_KEY'],
    ['stripe', 'STRIPE_SECRET_KEY'],
    ['stripe', 'STRIPE_WEBHOOK_SECRET'],
    ['tbank', 'TBANK_TERMINAL_KEY'],
    ['tbank', 'TBANK_PASSWORD'],
    ['cryptopay', 'CRYPTOPAY_TOKEN'],
  ])('%s needs %s', (provider, setting) => {
    const settings = { ...full, PAYMENT_PROVIDERS: provider }
    expect(chosenIn(settings)).toEqual([provider])
    for (const missing of ['', undefined]) {
      expect(() => readConfig({ ...settings, [setting]: missing })).toThrow(
        `The setting ${setting} is missing: PAYMENT_PROVIDERS has ${provider}.`,
      )
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

  test('is what an unconfigured shop has', () => expect(chosenIn({})).toEqual(['sandbox']))

  test('is refused in production unless it is asked for by name', () => {
    expect(() => readConfig(production)).toThrow(
      'The setting PAYMENT_PROVIDERS is wrong: the sandbox takes no real money and NODE_ENV=production lets strangers in, so set yookassa, stripe, payme, click, tbank, cryptopay or none (or ALLOW_SANDBOX=1 for a shop that sells nothing real).',
    )
    expect(chosenIn({ ...production, ALLOW_SANDBOX: '1' })).toEqual(['sandbox'])
    expect(chosenIn({ ...production, PAYMENT_PROVIDERS: 'none' })).toEqual([])
    expect(chosenIn({ ...production, ...full, PAYMENT_PROVIDERS: 'stripe, yookassa' })).toEqual(['stripe', 'yookassa'])
  })
})

describe('addresses', () => {
  const yookassa = readAddresses(
    readConfig({ ...full, PAYMENT_PROVIDERS: 'yookassa' }).payments.flatMap(
      ({ settings }) => settings.YOOKASSA_ADDRESSES as string[],
    ),
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

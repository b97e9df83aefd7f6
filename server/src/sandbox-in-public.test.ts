import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { StartupError } from './platform/process.ts'

const onlyPayments = { SUPPLIERS: 'none' }
const onlySuppliers = { PAYMENT_PROVIDERS: 'none' }

const publicPlaces: Record<string, string>[] = [
  { NODE_ENV: 'production' },
  { PUBLIC_URL: 'https://shop.example' },
  { PUBLIC_URL: 'https://localhost:3000' },
  { PUBLIC_URL: 'http://shop.example' },
  { PUBLIC_URL: 'http://192.168.1.5:3000' },
  { PUBLIC_URL: 'http://127.0.0.1.shop.example' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '0' },
  { HOST: '::ffff:0.0.0.0' },
  { HOST: '192.168.1.5' },
  { HOST: '2001:db8::1' },
  { HOST: 'shop.example' },
]

const ownMachine: Record<string, string>[] = [
  {},
  { HOST: 'localhost' },
  { HOST: '127.0.0.1' },
  { HOST: '127.8.9.10' },
  { HOST: '::1' },
  { HOST: '::ffff:127.0.0.1' },
  { PUBLIC_URL: 'http://127.0.0.1:4000' },
  { PUBLIC_URL: 'http://[::1]:4000' },
  { PUBLIC_URL: 'http://shop.localhost:4000' },
  { NODE_ENV: 'test' },
]

describe.each(publicPlaces)('with %j, where strangers come in,', (place) => {
  const [[name = '', value = '']] = Object.entries(place) as [[string, string]]

  test.each([
    ['PAYMENT_PROVIDERS', onlyPayments],
    ['SUPPLIERS', onlySuppliers],
  ])('the sandbox of %s does not start, and one sentence says why and what to set', (setting, rest) => {
    const read = () => readConfig({ ...rest, ...place })
    expect(read).toThrow(StartupError)
    expect(read).toThrow(new RegExp(`^The setting ${setting} is wrong: [^.]*sandbox.*\\.$`))
    expect(read).toThrow(`${name}=${value}`)
    expect(read).toThrow('ALLOW_SANDBOX=1')
  })

  test('a list that ends with the sandbox is refused as well', () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec' }
    expect(() => readConfig({ ...onlyPayments, ...place, ...stripe, PAYMENT_PROVIDERS: 'stripe,sandbox' })).toThrow(
      'ALLOW_SANDBOX=1',
    )
    expect(() => readConfig({ ...onlySuppliers, ...place, SUPPLIERS: 'manual,sandbox' })).toThrow('ALLOW_SANDBOX=1')
  })

  test('ALLOW_SANDBOX=1 starts it, and every page has to say so', () => {
    expect(readConfig({ ...place, ALLOW_SANDBOX: '1' }).openSandbox).toBe('payments')
    expect(readConfig({ ...place, ...onlyPayments, ALLOW_SANDBOX: '1' }).openSandbox).toBe('payments')
    expect(readConfig({ ...place, ...onlySuppliers, ALLOW_SANDBOX: '1' }).openSandbox).toBe('deliveries')
  })

  test('a shop without a sandbox starts, and has nothing to say', () => {
    const real = { ...place, ...onlyPayments, ...onlySuppliers }
    expect(readConfig(real).openSandbox).toBeUndefined()
    expect(readConfig({ ...real, ALLOW_SANDBOX: '1' }).openSandbox).toBeUndefined()
  })
})

describe.each(ownMachine)('with %j, on one’s own machine,', (place) => {
  test('the sandbox starts, and no page mentions it', () => {
    expect(readConfig(place)).toMatchObject({
      payments: [{ name: 'sandbox' }],
      suppliers: [{ name: 'sandbox' }],
      openSandbox: undefined,
    })
    expect(readConfig({ ...place, ALLOW_SANDBOX: '1' }).openSandbox).toBeUndefined()
  })
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import { StartupError } from '../process.ts'
import { createVendors, readVendors, type VendorAdapter, vendorFields, vendorUrl } from './adapters.ts'

const settings = z
  .object({
    BANK_KEY: z.string(),
    BANK_URL: vendorUrl('https://bank.example'),
    BANK_LEAST: z.string().regex(/^\d+$/, 'must be a number').default('1').transform(Number),
    BANK_MOST: z.string().default('9').transform(Number),
  })
  .refine(({ BANK_LEAST, BANK_MOST }) => BANK_LEAST <= BANK_MOST, {
    path: ['BANK_LEAST'],
    message: 'must not be above BANK_MOST',
  })
const bank = {
  name: 'bank',
  settings,
  create: (given: z.output<typeof settings>, suffix: string) =>
    `${given.BANK_KEY} at ${given.BANK_URL} from ${given.BANK_LEAST} ${suffix}`,
} satisfies VendorAdapter<typeof settings, string, string>
const barter = {
  name: 'barter',
  settings: z.object({}),
  create: (_given: object, suffix: string) => `barter ${suffix}`,
}
const adapters: VendorAdapter<z.ZodObject, string, string>[] = [bank, barter]

const read = (names: string[], given: Record<string, string>) =>
  readVendors(adapters, { setting: 'BANKS', names, given, opening: undefined })

test('vendors are made of their own settings, in the order of the choice', () => {
  const chosen = read(['barter', 'bank'], { BANK_KEY: 'key', BANK_LEAST: '5', OTHER: 'no business of a bank' })
  expect(chosen.map(({ settings }) => settings)).toEqual([
    {},
    { BANK_KEY: 'key', BANK_URL: 'https://bank.example', BANK_LEAST: 5, BANK_MOST: 9 },
  ])
  expect(createVendors(adapters, chosen, 'today')).toEqual(['barter today', 'key at https://bank.example from 5 today'])
})

test('a vendor that is not chosen needs nothing', () => expect(read(['barter'], {})).toHaveLength(1))

test.each([
  [{}, 'The setting BANK_KEY is missing: BANKS has bank.'],
  [{ BANK_KEY: 'key', BANK_LEAST: '10' }, 'The setting BANK_LEAST is wrong: it must not be above BANK_MOST.'],
])('%j is refused: %s', (given, sentence) => {
  expect(() => read(['bank'], given)).toThrow(new StartupError(sentence))
})

test('what is given is checked whether or not the vendor is chosen, and nothing has to be given', () => {
  const environment = z.object(vendorFields(adapters))
  expect(environment.safeParse({}).success).toBe(true)
  expect(environment.safeParse({ BANK_LEAST: 'few' }).error?.issues).toMatchObject([
    { path: ['BANK_LEAST'], message: 'must be a number' },
  ])
})

import { describe, expect, test } from 'vitest'
import { useShop } from '../../../test/use-shop.ts'
import { SERVER_LIMITS } from '../../limits.ts'
import { done, type Outcome, rejected, unknown } from '../../platform/vendor/vendor.ts'
import { createPlayerCheck } from './player-check.ts'
import type { Player, Supplier } from './supplier.ts'
import { sandboxSupplier } from './suppliers/sandbox.ts'
import { manual } from './suppliers.ts'

const shop = useShop({ RATE_LIMITS: 'on' })

/** Makes a sandbox that counts its calls, or something else in its place. */
function counted(answer?: () => Outcome<Player>) {
  const real = sandboxSupplier.create({}, shop)
  const asked: string[] = []
  const supplier: Supplier = {
    ...real,
    checkPlayer: async (service, account) => {
      asked.push(Object.values(account).join())
      return answer?.() ?? (real.checkPlayer as NonNullable<Supplier['checkPlayer']>)(service, account)
    },
  }
  return { supplier, asked }
}

const game = (slug: string) => ({ slug, pricing: 'offers', player_check: 'required' }) as const
const wallet = { slug: 'steam', pricing: 'amount', player_check: 'offered' } as const
const player = (id: string) => ({ text: id, values: { player_id: id } })
const gabe = (login: string) => ({ text: login, values: { login } })

const checkWith = (configured: readonly Supplier[], now = () => new Date()) =>
  createPlayerCheck({ ...shop, clock: { now } }, { configured, off: [], sandbox: undefined }, { loginCheckMs: 100 })

describe('a player', () => {
  test('is found by the supplier, and remembered, but not for ever', async () => {
    const { supplier, asked } = counted()
    let now = Date.now()
    const check = checkWith([supplier], () => new Date(now))
    for (let time = 0; time < 3; time++) {
      expect(await check.check(game('pubg'), player('5123456789'), '10.0.0.1')).toBe('Player_6789')
    }
    expect(asked).toHaveLength(1)
    await check.check(game('freefire'), player('5123456789'), '10.0.0.1')
    expect(asked).toHaveLength(2)
    now += SERVER_LIMITS.playerKnownSeconds * 1000
    await check.check(game('pubg'), player('5123456789'), '10.0.0.1')
    expect(asked).toHaveLength(3)
  })

  test('who is not there is refused, and the refusal remembered more shortly', async () => {
    const { supplier, asked } = counted()
    let now = Date.now()
    const check = checkWith([supplier], () => new Date(now))
    for (let time = 0; time < 3; time++) {
      await expect(check.check(game('pubg'), player('5123404'), '10.0.0.2')).rejects.toMatchObject({
        code: 'PLAYER_NOT_FOUND',
      })
    }
    expect(asked).toHaveLength(1)
    now += SERVER_LIMITS.playerUnknownSeconds * 1000
    await expect(check.check(game('pubg'), player('5123404'), '10.0.0.2')).rejects.toMatchObject({
      code: 'PLAYER_NOT_FOUND',
    })
    expect(asked).toHaveLength(2)
  })
})

describe('a supplier that is down', () => {
  const down = () => counted(() => unknown('timeout')).supplier

  test('is passed over for the next', async () => {
    const { supplier } = counted()
    expect(await checkWith([down(), supplier]).check(game('pubg'), player('777001'), '10.0.0.3')).toBe('Player_7001')
  })

  test('alone is refused, and asked again the next time', async () => {
    const { supplier, asked } = counted(() => unknown('timeout'))
    const check = checkWith([supplier, manual.create()])
    for (const count of [1, 2]) {
      await expect(check.check(game('pubg'), player('777002'), '10.0.0.3')).rejects.toMatchObject({
        code: 'SUPPLIER_UNAVAILABLE',
      })
      expect(asked).toHaveLength(count)
    }
  })
})

test('a shop that does everything by hand takes the id for the name; one without suppliers knows nobody', async () => {
  expect(await checkWith([manual.create()]).check(game('freefire'), player('777003'), '10.0.0.4')).toBe('777003')
  await expect(checkWith([]).check(game('freefire'), player('777003'), '10.0.0.4')).rejects.toMatchObject({
    code: 'SUPPLIER_UNAVAILABLE',
  })
})

test('an address that asks too much has to wait, however fast it asks; another one has not', async () => {
  const { supplier, asked } = counted()
  const check = checkWith([supplier])
  const { points } = SERVER_LIMITS.rates.playerChecksPerAddress
  const answers = await Promise.allSettled(
    Array.from({ length: points + 20 }, (_, index) =>
      check.check(game('pubg'), player(String(88_000_000 + index)), '10.0.0.9'),
    ),
  )
  const refused = answers.filter((answer) => answer.status === 'rejected').map((answer) => answer.reason.code)
  expect(refused).toEqual(Array(20).fill('RATE_LIMITED'))
  expect(asked).toHaveLength(points)
  await expect(check.check(game('pubg'), player('99000001'), '10.0.0.10')).resolves.toBeDefined()
})

describe('a Steam login', () => {
  /** Makes a Steam supplier that answers as told, and counts. */
  const seller = (answer: () => Promise<Outcome<Player>>) => {
    const asked: string[] = []
    const checkPlayer: Supplier['checkPlayer'] = (_service, { login = '' }) => {
      asked.push(login)
      return answer()
    }
    return { supplier: { ...sandboxSupplier.create({}, shop), checkPlayer }, asked }
  }
  const says = (canRefill: boolean) => seller(async () => (canRefill ? done({ name: null }) : rejected('not_found')))
  const refused = { code: 'STEAM_LOGIN_REFUSED', details: { login: 'Gabe' } }

  test('that can be topped up passes, and is asked about once, however it is written', async () => {
    const { supplier, asked } = says(true)
    let now = Date.now()
    const check = checkWith([supplier], () => new Date(now))
    for (const login of ['Gabe', 'gabe', 'GABE']) await check.check(wallet, gabe(login), '10.0.1.1')
    expect(asked).toEqual(['Gabe'])
    now += SERVER_LIMITS.playerKnownSeconds * 1000
    await check.check(wallet, gabe('gabe'), '10.0.1.1')
    expect(asked).toHaveLength(2)
  })

  test('that can not is refused, and the refusal remembered more shortly', async () => {
    const { supplier, asked } = says(false)
    let now = Date.now()
    const check = checkWith([supplier], () => new Date(now))
    for (let time = 0; time < 3; time++)
      await expect(check.check(wallet, gabe('Gabe'), '10.0.1.1')).rejects.toMatchObject(refused)
    expect(asked).toHaveLength(1)
    now += SERVER_LIMITS.playerUnknownSeconds * 1000
    await expect(check.check(wallet, gabe('Gabe'), '10.0.1.1')).rejects.toMatchObject(refused)
    expect(asked).toHaveLength(2)
  })

  test('is fine where one of several suppliers can top it up', async () => {
    await checkWith([says(false).supplier, says(true).supplier]).check(wallet, gabe('Gabe'), '10.0.1.1')
  })

  test.each<[string, () => readonly Supplier[]]>([
    ['nobody checks logins', () => [manual.create()]],
    ['nobody sells Steam', () => []],
    ['nobody knows', () => [seller(async () => unknown('timeout')).supplier]],
    ['the supplier breaks', () => [seller(() => Promise.reject(new Error('broken'))).supplier]],
    ['the supplier thinks for ever', () => [seller(() => new Promise(() => {})).supplier]],
  ])('passes where %s', async (_why, suppliers) => {
    await expect(checkWith(suppliers()).check(wallet, gabe('Gabe'), '10.0.1.1')).resolves.toBeNull()
  })

  test('passes unasked from an address that asks too much: nobody learns anything, and nobody is kept from buying', async () => {
    const { supplier, asked } = says(false)
    const check = checkWith([supplier])
    const { points } = SERVER_LIMITS.rates.playerChecksPerAddress
    const ask = (index: number) => check.check(wallet, gabe(`login${index}`), '10.0.1.9').catch(() => 'refused')
    const answers = await Promise.all(Array.from({ length: points + 20 }, (_, index) => ask(index)))
    expect([asked.length, answers.filter((answer) => answer === 'refused').length]).toEqual([points, points])
  })
})

describe('a game whose players need not be found', () => {
  const offered = { ...game('telegram-stars'), player_check: 'offered' } as const

  test('tells the name where somebody knows it, refuses who certainly is not there, and passes when nobody can tell', async () => {
    const { supplier } = counted()
    expect(await checkWith([supplier]).check(offered, player('5123456789'), '10.0.2.1')).toBe('Player_6789')
    await expect(checkWith([supplier]).check(offered, player('5123404'), '10.0.2.1')).rejects.toMatchObject({
      code: 'PLAYER_NOT_FOUND',
    })
    const silent = counted(() => unknown('timeout')).supplier
    expect(await checkWith([silent]).check(offered, player('5123456789'), '10.0.2.1')).toBeNull()
  })

  test('is not looked for at all where no check is wanted', async () => {
    const { supplier, asked } = counted()
    const none = { ...offered, player_check: 'none' } as const
    expect(await checkWith([supplier]).check(none, player('5123404'), '10.0.2.1')).toBeNull()
    expect(asked).toEqual([])
  })
})

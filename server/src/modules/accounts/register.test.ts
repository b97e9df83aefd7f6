import { beforeAll, describe, expect, test } from 'vitest'
import { tablesWith } from '../../../test/snapshot.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { noteSkeletons } from './accounts.ts'

const shop = useShop()

const password = 'lola-pal0ma'
const register = (body: object) => shop.call('POST', '/auth/register', { body })

const countUsers = async () =>
  (await shop.database.one<{ count: number }>(sql`SELECT count(*)::int AS count FROM users`)).count

describe('a nickname that looks like another', () => {
  beforeAll(async () => {
    for (const nickname of ['Cashier', 'Vasya77', 'straße1']) await register({ nickname, password })
  })

  test.each([
    ['a Cyrillic а', 'C\u0430shier'],
    ['a dotless i', 'Cash\u0131er'],
    ['an accent', 'Cashi\u00e9r'],
    ['full-width letters', '\uff23ashier'],
    ['mathematical letters', '\ud835\udc02ashier'],
    ['a digit for a letter', 'Vasya77'.replace('s', '\u0455')],
  ])('is taken: with %s', async (_how, nickname) => {
    const answer = await register({ nickname, password })
    expect([answer.status, answer.body.error?.code]).toEqual([409, 'NICKNAME_TAKEN'])
  })

  test.each([
    ['a zero-width space', 'Cash\u200bier'],
    ['a Hangul filler', '\u3164\u3164\u3164'],
    ['a soft hyphen', 'Cash\u00adier'],
    ['a variation selector', 'Cashier\ufe0f'],
  ])('is refused where something is drawn as nothing: %s', async (_how, nickname) => {
    const answer = await register({ nickname, password })
    expect([answer.status, answer.body.error.details]).toEqual([400, { nickname: 'nickname_invalid' }])
  })

  test('of twenty who take looks of one at once, one gets it', async () => {
    const looks = ['moderator', 'm\u043ederator', 'moder\u0430tor', 'moderat\u043er']
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => register({ nickname: looks[n % 4] as string, password })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test('nicknames from before are noted at the start, the older of two keeps its look', async () => {
    await shop.database.run(sql`
      INSERT INTO users (nickname, nickname_key, password_hash)
      VALUES ('Boxer', 'boxer', 'none'), ('B\u043exer', 'b\u043exer', 'none')`)
    await Promise.all([noteSkeletons(shop.database), noteSkeletons(shop.database)])
    const noted = await shop.database.rows(sql`
      SELECT nickname FROM users WHERE nickname_skeleton IS NOT NULL AND nickname LIKE 'B%xer'`)
    expect(noted).toEqual([{ nickname: 'Boxer' }])
    expect((await register({ nickname: 'Box\u0435r', password })).status).toBe(409)
  })

  test.each(['password1!', 'michelle1', 'Qwerty12345...'])(
    '%s is a password that guessers try first',
    async (guessed) => {
      const answer = await register({ nickname: 'newcomer', password: guessed })
      expect(answer.body.error.details).toEqual({ password: 'password_too_common' })
    },
  )
})

describe('registering', () => {
  test('opens an account, a cart, two empty wallets and a session', async () => {
    const answer = await register({ nickname: 'Dilnoza', password, confirmPassword: password })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      device: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      nickname: 'Dilnoza',
      userId: expect.any(Number),
    })
    const profile = await shop.call('GET', '/profile', { token: answer.body.token })
    expect(profile.body).toEqual({
      id: answer.body.userId,
      nickname: 'Dilnoza',
      role: 'customer',
      balanceUsd: 0,
      balanceRub: 0,
      contact: '',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      purchase_status: { key: 'new_buyer', current: 0, total: 10 },
    })
    expect((await shop.call('GET', '/cart', { token: answer.body.token })).body.data).toEqual([])
  })

  test('keeps the password as an argon2id hash only', async () => {
    const secret = 'korobka-4-mandarina'
    const { body } = await register({ nickname: 'Hashed', password: secret })
    const { hash } = await shop.database.one<{ hash: string }>(
      sql`SELECT password_hash AS hash FROM users WHERE id = ${body.userId}`,
    )
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await tablesWith(shop.database, secret)).toEqual([])
  })

  test.each([
    ['a field that makes an admin', { nickname: 'Climber', password, role: 'admin' }, { role: 'unknown_field' }],
    ['no nickname', { password }, { nickname: 'invalid' }],
    ['a short nickname', { nickname: 'ab', password }, { nickname: 'nickname_too_short' }],
    ['a nickname short once trimmed', { nickname: '  ab  ', password }, { nickname: 'nickname_too_short' }],
    ['a blank nickname', { nickname: '      ', password }, { nickname: 'nickname_too_short' }],
    ['a long nickname', { nickname: 'n'.repeat(33), password }, { nickname: 'nickname_too_long' }],
    ['a control character', { nickname: 'abc\u0000def', password }, { nickname: 'nickname_invalid' }],
    ['an invisible sign', { nickname: 'abc\u200bdef', password }, { nickname: 'nickname_invalid' }],
    ['half a surrogate pair', { nickname: 'abc\ud800', password }, { nickname: 'nickname_invalid' }],
    ['no password', { nickname: 'Nobody' }, { password: 'invalid' }],
    ['a short password', { nickname: 'Nobody', password: 'short-1' }, { password: 'password_too_short' }],
    ['a long password', { nickname: 'Nobody', password: '1'.repeat(129) }, { password: 'password_too_long' }],
    ['no digit', { nickname: 'Nobody', password: 'no digit here' }, { password: 'password_no_number' }],
    ['a password tried first', { nickname: 'Nobody', password: 'Password1' }, { password: 'password_too_common' }],
    ['NUL in the password', { nickname: 'Nobody', password: 'pass\u0000word1' }, { password: 'invalid_text' }],
    [
      'another second password',
      { nickname: 'Nobody', password, confirmPassword: 'lola-pal0mb' },
      { confirmPassword: 'passwords_dont_match' },
    ],
    [
      'all of them at once',
      { nickname: 'ab', password: 'short', confirmPassword: 'other' },
      { nickname: 'nickname_too_short', password: 'password_too_short', confirmPassword: 'passwords_dont_match' },
    ],
  ])('%s is refused under its field', async (_name, body, details) => {
    const before = await countUsers()
    const answer = await register(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      success: false,
      error: { code: 'VALIDATION_FAILED', message: expect.any(String), details },
    })
    expect(await countUsers()).toBe(before)
  })

  test.each([
    ['Abc', 'three signs are enough'],
    ['n'.repeat(32), 'so are 32'],
    ['Ёжик в тумане', 'Cyrillic with spaces'],
    ['Gʻulnora', 'the Uzbek apostrophe'],
    ['🦊🦊🦊', 'emoji'],
  ])('the nickname %s is fine: %s', async (nickname) => {
    const answer = await register({ nickname, password })
    expect([answer.status, answer.body.nickname]).toEqual([201, nickname])
  })

  test('the nickname is trimmed and normalised', async () => {
    const answer = await register({ nickname: '  Ｆｕｌｌ ﬁsh\u00a0 ', password })
    expect(answer.body.nickname).toBe('Full fish')
  })
})

describe('a nickname is unique', () => {
  test.each([
    ['Timur', 'Timur'],
    ['Sardor', 'sARDOR'],
    ['Шахзода', 'ШАХЗОДА'],
    ['Ёлка', 'ёЛКА'],
    ['Wide', 'ｗｉｄｅ'],
    ['Spaced', '  spaced '],
    ['Jose\u0301', 'JOSÉ'],
  ])('%s and %s are one', async (first, second) => {
    expect((await register({ nickname: first, password })).status).toBe(201)
    const before = await countUsers()
    const answer = await register({ nickname: second, password })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'NICKNAME_TAKEN'])
    expect(await countUsers()).toBe(before)
  })

  test('also for 20 who want it at the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => register({ nickname: index % 2 ? 'Quick' : 'QUICK', password })),
    )
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    expect(answers.filter((answer) => answer.body.error?.code === 'NICKNAME_TAKEN')).toHaveLength(19)
  })
})

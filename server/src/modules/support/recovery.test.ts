import { expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'

const shop = useShop({ RATE_LIMITS: 'on' })
const admin = useUser(shop, { role: 'admin' })

let addresses = 0
const ask = (body: object) =>
  shop.call('POST', '/support/recovery', { body, headers: { 'x-forwarded-for': `203.0.113.${++addresses}` } })
const proofs = async (nickname: string) => {
  const query = `kind=recovery&sort=id&search=${nickname}`
  const { body } = await shop.call('GET', `/admin/conversations?${query}`, { token: admin.token })
  return body.data
}

async function anOrder(buyer: TestUser): Promise<string> {
  const offer = await anOffer(shop, { stock: 1 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return body.order.id
}

const setContact = (user: TestUser, currentPassword: string, contact: string) =>
  shop.call('PUT', '/profile/contact', { token: user.token, body: { currentPassword, contact } })

test('who forgot the password names an order, and the operator sees whether it is theirs', async () => {
  const buyer = await aUser(shop, { usd: 1_000 })
  const other = await aUser(shop, { usd: 1_000 })
  const [own, strange] = [await anOrder(buyer), await anOrder(other)]
  for (const order of [own.toLowerCase(), strange, 'NO-SUCH', undefined]) {
    const answer = await ask({
      nickname: ` ${buyer.nickname.toUpperCase()} `,
      contact: '@lola',
      ...(order && { order }),
    })
    expect([answer.status, answer.body]).toEqual([201, { success: true, link: expect.any(String) }])
  }
  const rows = await proofs(buyer.nickname)
  expect(rows.map(({ order }: { order: { proof: string } | null }) => order?.proof)).toEqual([
    undefined,
    'claimed',
    'claimed',
    'own',
  ])
  expect(rows[0]).toMatchObject({ kind: 'recovery', is_known: false, userId: '', contact: '@lola' })
  expect(rows[0].proof.account_id).toBe(buyer.id)
})

test('the contact that the account has proves it, however it is written', async () => {
  const { body } = await shop.call('POST', '/auth/register', {
    body: { nickname: 'Malika_2009', password: 'some-pass-99', contact: ' @Malika ' },
  })
  await ask({ nickname: 'malika_2009', contact: '@malika' })
  await ask({ nickname: 'malika_2009', contact: '@somebody' })
  const rows = await proofs('malika_2009')
  expect(rows.map(({ proof }: { proof: { is_own_contact: boolean } }) => proof.is_own_contact)).toEqual([false, true])
  expect(rows[0].proof.account_id).toBe(body.userId)
})

test('a nickname that nobody has is answered alike', async () => {
  const [known, unknown] = [await aUser(shop), 'nobody_at_all']
  const answers = [
    await ask({ nickname: known.nickname, contact: '@a' }),
    await ask({ nickname: unknown, contact: '@a' }),
  ]
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [201, { success: true, link: expect.any(String) }],
    [201, { success: true, link: expect.any(String) }],
  ])
  expect((await proofs(unknown))[0].proof).toEqual({ account_id: null, is_own_contact: false })
})

test('an account without a contact is not proved by a blank one', async () => {
  const user = await aUser(shop)
  expect((await ask({ nickname: user.nickname, contact: ' ' })).body.error.details).toEqual({ contact: 'required' })
  await ask({ nickname: user.nickname, contact: '-' })
  expect((await proofs(user.nickname))[0].proof.is_own_contact).toBe(false)
})

test('a question has no proof, and is not among those who ask for a password', async () => {
  await shop.call('POST', '/support', { body: { nickname: 'Quest', userId: '17', message: 'Where is my code?' } })
  expect(await proofs('Quest')).toEqual([])
  const { body } = await shop.call('GET', '/admin/conversations?search=Quest', { token: admin.token })
  expect(body.data).toMatchObject([{ kind: 'question', proof: null }])
})

test('an address that floods the operator has to wait', async () => {
  const one = () => shop.call('POST', '/support/recovery', { body: { nickname: 'Flood', contact: '@a' } })
  const answers = await Promise.all(Array.from({ length: 20 }, one))
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10)
})

test('the contact is changed with the password alone, and shown to its owner', async () => {
  const { body } = await shop.call('POST', '/auth/register', {
    body: { nickname: 'Timur_x', password: 'some-pass-99' },
  })
  const user = { token: body.token } as TestUser
  const readProfile = async () => (await shop.call('GET', '/profile', { token: user.token })).body.contact
  expect(await readProfile()).toBe('')
  const wrong = await setContact(user, 'other-pass-99', '@thief')
  expect([wrong.status, wrong.body.error.details]).toEqual([400, { currentPassword: 'invalid_credentials' }])
  expect((await setContact(user, 'some-pass-99', '+998 90 123-45-67')).status).toBe(204)
  expect(await readProfile()).toBe('+998 90 123-45-67')
  expect((await setContact(user, 'some-pass-99', '')).status).toBe(204)
  expect(await readProfile()).toBe('')
})

test('who guesses the password at the contact has to wait as at the password', async () => {
  const { body } = await shop.call('POST', '/auth/register', {
    body: { nickname: 'Guess_x', password: 'some-pass-99' },
  })
  const tries = []
  for (let n = 0; n < 12; n++) tries.push(await setContact({ token: body.token } as TestUser, `wrong-pass-${n}`, '@t'))
  expect(tries.at(-1)?.status).toBe(429)
})

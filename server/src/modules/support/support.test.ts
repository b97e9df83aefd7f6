import { expect, test } from 'vitest'
import { anOffer, aUser, type TestUser, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop({ RATE_LIMITS: 'on', TRUST_PROXY: 'on', PUBLIC_URL: 'https://shop.example', ALLOW_SANDBOX: '1' })
const admin = useUser(shop, { role: 'admin' })

let addresses = 0
const elsewhere = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` })
const send = (body: unknown, token?: string) =>
  shop.call('POST', '/support', { body, headers: elsewhere(), ...(token !== undefined && { token }) })
const list = async (query = '') =>
  (await shop.call('GET', `/admin/conversations${query}`, { token: admin.token })).body.data
const open = async (id: number) =>
  (await shop.call('GET', `/admin/conversations/${id}`, { token: admin.token })).body.data
const question = { nickname: 'Aziz', userId: '17', message: 'Where is my code?' }

async function anOrder(buyer: TestUser): Promise<string> {
  const offer = await anOffer(shop, { stock: 1 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  const { body } = await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  return body.order.id
}

test('a visitor’s message opens a conversation, and its link opens it for him alone', async () => {
  const sent = await send({ nickname: ' Aziz ', userId: 17, message: 'Where is my code?', contact: '@aziz' })
  expect(sent.status).toBe(201)
  expect(sent.body).toEqual({
    success: true,
    id: expect.any(Number),
    link: expect.stringMatching(/^https:\/\/shop\.example\/conversation#[\w-]{32}$/),
  })
  const [row] = await list('?state=open&search=@aziz')
  expect(row).toMatchObject({
    ...{ id: sent.body.id, nickname: 'Aziz', userId: '17', contact: '@aziz', is_known: false, state: 'open' },
    ...{ is_unread: true, assignee: null, order: null, last: { author: 'customer', text: 'Where is my code?' } },
  })

  const token = sent.body.link.split('#')[1]
  const linked = await shop.call('POST', '/support/linked', { body: { token } })
  expect(linked.body).toMatchObject({ id: row.id, messages: [{ author: 'customer', text: 'Where is my code?' }] })
  for (const other of ['a', `${token}x`, token.toUpperCase()]) {
    expect((await shop.call('POST', '/support/linked', { body: { token: other } })).status).toBe(404)
  }
  const stored = await shop.database.one<{ at: number }>(
    sql`SELECT position(convert_to(${token}, 'UTF8') IN link_digest) AS at FROM conversation WHERE id = ${row.id}`,
  )
  expect(stored.at).toBe(0)
})

test('a link is over a month after the last message, and until then every message keeps it', async () => {
  const { body } = await send(question)
  const token = body.link.split('#')[1]
  const pass = (days: number) =>
    shop.database.run(sql`
      UPDATE conversation SET link_expires_at = link_expires_at - make_interval(days => ${days}) WHERE id = ${body.id}`)
  const read = async () => (await shop.call('POST', '/support/linked', { body: { token } })).status
  await pass(29)
  const answer = { token: admin.token, body: { text: 'It is on its way' } }
  expect((await shop.call('POST', `/admin/conversations/${body.id}/answers`, answer)).status).toBe(201)
  await pass(29)
  expect(await read()).toBe(200)
  expect((await shop.call('POST', '/support/linked/messages', { body: { token, message: 'Thanks' } })).status).toBe(201)
  await pass(29)
  expect(await read()).toBe(200)
  await pass(2)
  expect(await read()).toBe(404)
  for (const path of ['messages', 'events']) {
    const late = { token, ...(path === 'messages' && { message: 'Hello?' }) }
    expect((await shop.call('POST', `/support/linked/${path}`, { body: late })).status).toBe(404)
  }
})

test('with a session a message is signed by who is logged in, whatever it claims, and needs no link', async () => {
  const customer = await aUser(shop)
  const sent = await send({ nickname: 'admin', userId: '1', message: 'Please refund my order' }, customer.token)
  expect(sent.body.link).toBeNull()
  expect(await open(sent.body.id)).toMatchObject({
    ...{ nickname: customer.nickname, userId: String(customer.id), is_known: true },
    customer: { id: customer.id, nickname: customer.nickname, orders: 0, conversations: 1, is_blocked: false },
  })
})

test('without one it is shown as a claim, also when the token is dead', async () => {
  const claim = { nickname: 'admin', userId: '1', message: 'Please refund mine' }
  for (const token of [undefined, 'dead']) {
    const { body } = await send(claim, token)
    expect(await open(body.id)).toMatchObject({ is_known: false, customer: null })
    expect(body.link).not.toBeNull()
  }
})

test('an order proves itself only where it is the session’s own, however it is typed', async () => {
  const [buyer, other] = [await aUser(shop, { usd: 1_000 }), await aUser(shop, { usd: 1_000 })]
  const [own, strange] = [await anOrder(buyer), await anOrder(other)]
  const proofs = []
  for (const [order, token] of [
    [` ${own.toLowerCase()} `, buyer.token],
    [strange, buyer.token],
    [own, undefined],
    ['NO-SUCH', buyer.token],
  ] as const) {
    const seen = await open((await send({ ...question, order }, token)).body.id)
    proofs.push([seen.order.proof, seen.named?.id, seen.named?.nickname])
  }
  expect(proofs).toEqual([
    ['own', own, buyer.nickname],
    ['claimed', strange, other.nickname],
    ['claimed', own, buyer.nickname],
    ['claimed', undefined, undefined],
  ])
})

test('nickname, user id and message are required, and words are plain text', async () => {
  const answer = await send({ nickname: ' ', userId: '', message: '\u200B' })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details).toEqual({ nickname: 'required', userId: 'required', message: 'required' })
  expect((await send({ nickname: 'Aziz', message: 'Hello' })).body.error.details).toEqual({ userId: 'required' })
  expect((await send({ ...question, message: 'a\u0000' })).body.error.details).toEqual({ message: 'invalid_text' })
  expect((await send({ ...question, message: 'a'.repeat(5_001) })).body.error.details).toEqual({ message: 'too_long' })

  const { body } = await send({ ...question, message: '<b>See</b>\r\n\u0007here \u202Eneddih' })
  expect((await open(body.id)).messages[0].text).toBe('<b>See</b>\nhere neddih')
})

test('an address that floods the operator has to wait, and so does a conversation', async () => {
  const one = () => shop.call('POST', '/support', { body: question })
  const answers = await Promise.all(Array.from({ length: 20 }, one))
  expect(answers.filter((answer) => answer.status === 429).length).toBe(10)

  const customer = await aUser(shop)
  const { body } = await send(question, customer.token)
  const path = `/support/conversations/${body.id}/messages`
  const write = () => shop.call('POST', path, { token: customer.token, body: { message: 'Hello?' } })
  const replies = await Promise.all(Array.from({ length: 40 }, write))
  expect(replies.filter(({ status }) => status === 429).length).toBe(10)
})

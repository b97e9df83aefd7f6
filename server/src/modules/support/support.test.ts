import { expect, test } from 'vitest'
import { aUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'

const shop = useShop({ RATE_LIMITS: 'on' })
const admin = useUser(shop, { role: 'admin' })

const send = (body: unknown) => shop.call('POST', '/support', { body })
const list = (query = '') => shop.call('GET', `/admin/support-messages${query}`, { token: admin.token })
const change = (id: number, body: unknown) =>
  shop.call('PUT', `/admin/support-messages/${id}`, { token: admin.token, body })

test('a message reaches the operator, is answered, and the admin is named', async () => {
  const sent = await send({ nickname: ' Aziz ', userId: 17, message: 'Where is my code?', contact: '@aziz' })
  expect(sent.status).toBe(201)
  expect(sent.body).toEqual({ success: true, id: expect.any(Number) })
  const { data } = (await list('?status=open&search=aziz')).body
  expect(data).toMatchObject([
    { id: sent.body.id, nickname: 'Aziz', userId: '17', contact: '@aziz', status: 'open', answered_by: null },
  ])

  const answered = await change(sent.body.id, { status: 'answered', note: 'Sent again', version: 1 })
  expect(answered.body.data).toMatchObject({ status: 'answered', note: 'Sent again', answered_by: admin.nickname })
  expect(answered.body.data.answered_at).toEqual(expect.any(String))
  expect((await change(sent.body.id, { note: 'Other', version: 1 })).status).toBe(409)
  expect((await list('?status=open')).body).toEqual({ data: [], total: 0 })

  const reopened = await change(sent.body.id, { status: 'open' })
  expect(reopened.body.data).toMatchObject({ status: 'open', note: 'Sent again', answered_by: null, answered_at: null })
})

test('with a session a message is signed by who is logged in, whatever it claims', async () => {
  const customer = await aUser(shop)
  const claim = { nickname: 'admin', userId: '1', message: 'Please refund my order' }
  const sent = await shop.call('POST', '/support', { token: customer.token, body: claim })
  const [message] = (await list(`?search=${customer.nickname}`)).body.data
  expect(message).toMatchObject({
    id: sent.body.id,
    nickname: customer.nickname,
    userId: String(customer.id),
    is_known: true,
  })
})

test('without one it is shown as a claim, also when the token is dead', async () => {
  const claim = { nickname: 'admin', userId: '1', message: 'Please refund mine' }
  await send(claim)
  await shop.call('POST', '/support', { token: 'dead', body: claim })
  const { data } = (await list('?search=refund%20mine')).body
  expect(data).toMatchObject([{ is_known: false }, { is_known: false }])
})

test('nickname, user id and message are required', async () => {
  const answer = await send({ nickname: ' ', userId: '', message: '' })
  expect(answer.status).toBe(400)
  expect(answer.body.error.details).toEqual({ nickname: 'required', userId: 'required', message: 'required' })
  expect((await send({ nickname: 'Aziz', message: 'Hello' })).body.error.details).toEqual({ userId: 'required' })
})

test('an address that floods the operator has to wait', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => send({ nickname: 'Flood', userId: '1', message: 'again' })),
  )
  expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(10)
})

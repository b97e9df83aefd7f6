import { readdirSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../../test/database.ts'
import { aUser, type TestUser } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { untilWaiting } from '../../../test/waiting.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { createListener } from '../../platform/database/notify.ts'
import { sql } from '../../platform/database/queries.ts'
import { announceConversations } from './conversations.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })
const colleague = useUser(shop, { role: 'admin' })
const customer = useUser(shop)

const question = { nickname: 'Aziz', userId: '17', message: 'Where is my code?' }
const ask = async (asked: object = question, token?: string) =>
  (await shop.call('POST', '/support', { body: asked, ...(token !== undefined && { token }) })).body
const desk = (path: string, body?: unknown, by: TestUser = admin) =>
  shop.call('POST', `/admin/conversations/${path}`, { token: by.token, body })
const change = (id: number, body: unknown, by: TestUser = admin) =>
  shop.call('PUT', `/admin/conversations/${id}`, { token: by.token, body })
const open = async (id: number) =>
  (await shop.call('GET', `/admin/conversations/${id}`, { token: admin.token })).body.data
const list = async (query: string, by: TestUser = admin) =>
  (await shop.call('GET', `/admin/conversations?${query}`, { token: by.token })).body.data.map(
    ({ id }: { id: number }) => id,
  )
const own = async (id: number, by: TestUser = customer) =>
  (await shop.call('GET', `/support/conversations/${id}`, { token: by.token })).body
const write = (id: number, message: string, by: TestUser = customer) =>
  shop.call('POST', `/support/conversations/${id}/messages`, { token: by.token, body: { message } })
const rings = async (id: number) => {
  const { body } = await shop.call('GET', `/admin/alerts?search=conversation:${id}`, { token: admin.token })
  return body.data.map(({ kind, state }: { kind: string; state: string }) => [kind, state])
}

describe('what both sides do', () => {
  test('a question is answered, seen, asked again and closed, and rings while it is open', async () => {
    const { id } = await ask(question, customer.token)
    expect(await rings(id)).toEqual([['support.waiting', 'open']])
    expect(await own(id)).toMatchObject({ state: 'open', is_unread: false, last: { author: 'customer' }, earlier: 0 })

    const answered = await desk(`${id}/answers`, { text: 'It is in your order' })
    expect(answered.status).toBe(201)
    expect(answered.body.data).toMatchObject({
      ...{ state: 'waiting', assignee: admin.nickname, is_mine: true, is_unread: false, closed_at: null },
      messages: [
        { author: 'customer', by: null },
        { author: 'shop', by: admin.nickname, text: 'It is in your order' },
      ],
    })
    expect(await rings(id)).toEqual([['support.waiting', 'resolved']])
    const seen = await own(id)
    expect(seen).toMatchObject({ state: 'waiting', is_unread: true })
    expect(JSON.stringify(seen)).not.toContain(admin.nickname)
    const read = { token: customer.token, body: { upTo: seen.last.id } }
    expect((await shop.call('PUT', `/support/conversations/${id}/read`, read)).status).toBe(204)
    expect((await own(id)).is_unread).toBe(false)

    expect((await write(id, 'It is not')).body).toMatchObject({ state: 'open', last: { text: 'It is not' } })
    expect(await rings(id)).toEqual([
      ['support.waiting', 'open'],
      ['support.waiting', 'resolved'],
    ])
    const first = (await open(id)).first_answered_at
    const closed = await desk(`${id}/answers`, { text: 'Now it is', close: true })
    expect(closed.body.data).toMatchObject({ state: 'closed', closed_at: expect.any(String), first_answered_at: first })
    expect((await write(id, 'Thank you')).body.state).toBe('open')
    expect(await open(id)).toMatchObject({ state: 'open', closed_at: null, is_unread: true })
  })

  test('one that an operator opens again waits for an answer, and rings until it has one', async () => {
    const { id } = await ask(question, customer.token)
    await change(id, { state: 'closed' })
    expect(await rings(id)).toEqual([['support.waiting', 'resolved']])
    expect((await change(id, { state: 'open' })).body.data).toMatchObject({ state: 'open', closed_at: null })
    const again = [
      ['support.waiting', 'open'],
      ['support.waiting', 'resolved'],
    ]
    expect(await rings(id)).toEqual(again)
    await change(id, { mine: true })
    expect(await rings(id)).toEqual(again)
    await desk(`${id}/answers`, { text: 'It is in your order' })
    expect(await rings(id)).toEqual(again.map(([kind]) => [kind, 'resolved']))
  })

  test('a note is for colleagues alone: it is in no answer, moves nothing, and the customer hears of nothing', async () => {
    const { id } = await ask(question, customer.token)
    const before = await own(id)
    const noted = await desk(`${id}/notes`, { text: 'He says this every week' })
    expect(noted.body.data).toMatchObject({
      state: 'open',
      messages: [{ author: 'customer' }, { author: 'note', by: admin.nickname }],
      last: { author: 'customer' },
    })
    expect(await own(id)).toEqual(before)
    const talks = await shop.call('GET', '/support/conversations', { token: customer.token })
    expect(talks.text).not.toContain('every week')
    expect((await open(id)).first_answered_at).toBeNull()
    expect(await rings(id)).toEqual([['support.waiting', 'open']])
  })

  test('nobody reads, writes or marks the conversation of another', async () => {
    const [{ id }, other] = [await ask(question, customer.token), await aUser(shop)]
    const linked = await ask()
    for (const conversation of [id, linked.id]) {
      expect((await shop.call('GET', `/support/conversations/${conversation}`, { token: other.token })).status).toBe(
        404,
      )
      expect((await write(conversation, 'Hello', other)).status).toBe(404)
      const read = { token: other.token, body: { upTo: 1 } }
      expect((await shop.call('PUT', `/support/conversations/${conversation}/read`, read)).status).toBe(404)
    }
    expect((await shop.call('GET', '/support/conversations', { token: other.token })).body).toEqual({ data: [] })
    expect((await open(id)).messages).toHaveLength(1)
  })

  test('the newest messages are shown first, and the rest when they are asked for', async () => {
    const { id } = await ask(question, customer.token)
    for (const message of ['two', 'three', 'four']) await write(id, message)
    const shown = async (path: string, token: string) => {
      const { body } = await shop.call('GET', `${path}/${id}?shown=2`, { token })
      const { messages, earlier } = body.data ?? body
      return [messages.map(({ text }: { text: string }) => text), earlier]
    }
    expect(await shown('/support/conversations', customer.token)).toEqual([['three', 'four'], 2])
    expect(await shown('/admin/conversations', admin.token)).toEqual([['three', 'four'], 2])
  })

  test('what came while an operator was reading stays unread', async () => {
    const { id } = await ask(question, customer.token)
    const seen = await open(id)
    await write(id, 'And another thing')
    const mark = (upTo: number) =>
      shop.call('PUT', `/admin/conversations/${id}/read`, { token: admin.token, body: { upTo } })
    expect((await mark(seen.last.id)).status).toBe(204)
    expect((await open(id)).is_unread).toBe(true)
    await mark(999_999_999)
    expect((await open(id)).is_unread).toBe(false)
    await write(id, 'Hello?')
    expect((await open(id)).is_unread).toBe(true)
  })
})

describe('at once', () => {
  test('twenty messages and answers at once are all kept, in one order, and the last decides', async () => {
    const { id } = await ask(question, customer.token)
    const all = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? write(id, `question ${n}`) : desk(`${id}/answers`, { text: `answer ${n}` }),
    )
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    const { messages, state, last, is_unread } = await open(id)
    expect(messages).toHaveLength(21)
    const times = messages.map(({ created_at }: { created_at: string }) => created_at)
    expect(times).toEqual(times.toSorted())
    expect([last.id, state]).toEqual([messages.at(-1).id, last.author === 'shop' ? 'waiting' : 'open'])
    expect(is_unread).toBe(last.author === 'customer')
    expect((await rings(id)).filter(([, ring]: string[]) => ring === 'open')).toHaveLength(state === 'open' ? 1 : 0)
  })

  test('of twenty operators who answer what they saw at once, one does, and the others are told of it', async () => {
    const { id } = await ask(question, customer.token)
    const { version } = await open(id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        desk(`${id}/answers`, { text: `answer ${n}`, version }, n % 2 === 0 ? admin : colleague),
      ),
    )
    const told = answers.filter(({ status }) => status === 409)
    expect([told.length, answers.filter(({ status }) => status === 201).length]).toEqual([19, 1])
    const { messages, assignee } = await open(id)
    expect(messages).toHaveLength(2)
    expect(messages[1].by).toBe(assignee)
    for (const { body } of told) {
      expect(body.error.details).toMatchObject({
        reason: 'changed_meanwhile',
        current: { state: 'waiting', last: { text: messages[1].text } },
      })
    }
    expect((await desk(`${id}/answers`, { text: 'All the same' }, colleague)).status).toBe(201)
  })

  test('who answers what a customer has written on to meanwhile is asked, and who only looked is no change', async () => {
    const { id } = await ask(question, customer.token)
    const { version, last } = await open(id)
    await shop.call('PUT', `/admin/conversations/${id}/read`, { token: admin.token, body: { upTo: last.id } })
    expect((await open(id)).version).toBe(version)
    await write(id, 'Never mind')
    expect((await desk(`${id}/answers`, { text: 'It is there', version })).status).toBe(409)
  })

  test('a customer who writes while it is closed has it open, whichever came first', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await ask(question, customer.token)).id))
    await Promise.all(ids.flatMap((id) => [change(id, { state: 'closed' }), write(id, 'One more thing')]))
    for (const id of ids) {
      const { state, closed_at, messages } = await open(id)
      expect([messages.length, closed_at === null]).toEqual([2, state !== 'closed'])
      expect((await rings(id)).some(([, ring]: string[]) => ring === 'open')).toBe(state === 'open')
    }
  })
})

describe('the list', () => {
  test('is narrowed by state, kind, who has it and what was written', async () => {
    const mark = 'Zarafshan'
    const [one, two, three] = await Promise.all([
      ask({ ...question, message: `Hello ${mark}` }),
      ask({ ...question, nickname: mark }),
      ask({ ...question, order: `${mark}1` }),
    ])
    const ids = [one.id, two.id, three.id].toSorted((a, b) => a - b)
    const listed = async (query: string, by?: TestUser) =>
      (await list(`search=zaraf&sort=id&order=asc${query}`, by)) as number[]
    expect(await listed('')).toEqual(ids)
    expect(await listed('&assignee=nobody')).toEqual(ids)
    await change(one.id, { mine: true })
    await change(two.id, { state: 'closed' })
    expect(await listed('&assignee=mine')).toEqual([one.id])
    expect(await listed('&assignee=mine', colleague)).toEqual([])
    expect(await listed('&assignee=nobody')).toEqual(ids.filter((id) => id !== one.id))
    expect(await listed('&state=closed')).toEqual([two.id])
    expect(await listed('&kind=recovery')).toEqual([])
    await change(one.id, { mine: false }, colleague)
    expect(await listed('&assignee=nobody')).toEqual(ids)
    await desk(`${three.id}/answers`, { text: 'The word is Chorsu' })
    expect(await list('search=chorsu')).toEqual([three.id])
  })

  test('counts those that wait for the shop', async () => {
    const count = async () =>
      (await shop.call('GET', '/admin/conversations/count', { token: admin.token })).body.data.open
    const before = await count()
    const { id } = await ask()
    expect(await count()).toBe(before + 1)
    await change(id, { state: 'closed' })
    expect(await count()).toBe(before)
  })

  test('what an operator did is in the audit trail, and what was said is not', async () => {
    const { id } = await ask()
    await desk(`${id}/answers`, { text: 'Secret words' })
    await desk(`${id}/notes`, { text: 'Secret note' })
    await change(id, { state: 'closed' })
    const { body } = await shop.call('GET', `/admin/audit?subject=support:${id}`, { token: admin.token })
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'support.update',
      'support.note',
      'support.answer',
    ])
    expect(JSON.stringify(body)).not.toContain('Secret')
  })
})

describe('answers that are written often', () => {
  const texts = { ru: 'Здравствуйте, {nickname}!', en: 'Hello, {nickname}, about {order}', uz: '' }
  const add = (body: object) => shop.call('POST', '/admin/answer-templates', { token: admin.token, body })

  test('are kept by language, and have only the placeholders there are', async () => {
    const added = await add({ title: 'Hello', texts })
    expect([added.status, added.body.data]).toEqual([
      201,
      { id: expect.any(Number), title: 'Hello', texts, version: 1 },
    ])
    expect((await add({ title: 'hello', texts })).body.error.details).toEqual({ title: 'duplicate' })
    for (const wrong of ['{password}', '{ nickname }', '{Order}', '{код}']) {
      const { status, body } = await add({ title: `Wrong ${wrong}`, texts: { ...texts, en: `About ${wrong}` } })
      expect([status, body.error.details]).toEqual([400, { 'texts.en': 'unknown_placeholder' }])
    }
    const blank = await add({ title: 'Blank', texts: { ru: ' ', en: '', uz: '' } })
    expect(blank.body.error.details).toEqual({ texts: 'required' })
    const { id } = added.body.data
    const changed = await shop.call('PUT', `/admin/answer-templates/${id}`, {
      token: admin.token,
      body: { title: 'Greeting', version: 1 },
    })
    expect(changed.body.data).toMatchObject({ title: 'Greeting', texts, version: 2 })
    expect((await shop.call('DELETE', `/admin/answer-templates/${id}`, { token: admin.token })).status).toBe(200)
    const { body } = await shop.call('GET', '/admin/answer-templates', { token: admin.token })
    expect(body).toEqual({ data: [], total: 0 })
  })

  test('come back as they were, whoever has changed them since, and only as they could be saved today', async () => {
    const { id } = (await add({ title: 'Way back', texts })).body.data
    const by = (method: 'GET' | 'PUT' | 'POST', path = '', body?: object) =>
      shop.call(method, `/admin/answer-templates/${id}${path}`, { token: admin.token, body })
    const versions = async () => (await by('GET', '/versions')).body.data
    expect((await by('PUT', '', { texts: { ...texts, ru: 'Другое' } })).status).toBe(200)
    // A program that keeps no versions has changed it, and so has one that keeps them.
    await shop.database.run(sql`UPDATE answer_template SET title = 'Older node' WHERE id = ${id}`)
    expect((await by('PUT', '', { title: 'Newer node' })).status).toBe(200)
    // Nothing is another version that says nothing else.
    expect((await by('PUT', '', { title: 'Newer node' })).status).toBe(200)
    const changed = { ...texts, ru: 'Другое' }
    expect(await versions()).toMatchObject([
      { version: 4, value: { title: 'Newer node', texts: changed }, changed_by: admin.nickname },
      { version: 3, value: { title: 'Older node', texts: changed }, changed_by: null },
      { version: 2, value: { title: 'Way back', texts: changed }, changed_by: admin.nickname },
      { version: 1, value: { title: 'Way back', texts }, changed_by: admin.nickname },
    ])
    const late = await by('POST', '/restore', { restored: 1, version: 3 })
    expect(late.body.error).toMatchObject({ code: 'STATE_CONFLICT', details: { reason: 'changed_meanwhile' } })
    const { status, body } = await by('POST', '/restore', { restored: 1, version: 4 })
    expect([status, body.data]).toMatchObject([200, { title: 'Way back', texts }])
    expect((await by('POST', '/restore', { restored: 9 })).status).toBe(404)

    await add({ title: 'Newer node', texts })
    expect((await by('POST', '/restore', { restored: 4 })).body.error.details).toEqual({ title: 'duplicate' })
    await shop.database.run(sql`
      INSERT INTO shop_setting (section, version, value)
      VALUES (${`answer_template:${id}`}, 6, ${JSON.stringify({ title: 'Old', texts: { ...texts, en: '{password}' } })}::jsonb)`)
    expect((await by('POST', '/restore', { restored: 6 })).body.error.details).toEqual({ 'texts.en': 'invalid' })
    expect((await versions()).length).toBe(6)
  })

  test('come back once after they were deleted, by the id they had, if nothing has their title', async () => {
    const { id } = (await add({ title: 'Deleted', texts })).body.data
    const call = (method: 'GET' | 'DELETE' | 'POST', path: string, body?: object) =>
      shop.call(method, `/admin/answer-templates/${path}`, { token: admin.token, body })
    const removed = async () =>
      (await call('GET', 'removed')).body.data.filter((one: { id: number }) => one.id === id) as { version: number }[]
    // A program that keeps no versions has changed it, so that none says what is deleted.
    await shop.database.run(sql`UPDATE answer_template SET title = 'Deleted later' WHERE id = ${id}`)
    expect(await removed()).toEqual([])
    await call('DELETE', `${id}`)
    const value = { title: 'Deleted later', texts }
    expect(await removed()).toMatchObject([{ id, version: 2, value, changed_by: null }])

    const taken = (await add(value)).body.data.id
    const back = () => call('POST', `${id}/restore`, { restored: 2, version: 2 })
    expect((await back()).body.error.details).toEqual({ title: 'duplicate' })
    await call('DELETE', `${taken}`)
    // Both have begun before either can add it again.
    const { calls } = await shop.database.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE answer_template IN SHARE MODE`)
      const calls = Promise.all([back(), back()])
      await untilWaiting(shop.database, 2)
      return { calls }
    })
    const answers = await calls
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 200)?.body.data).toEqual({ id, ...value, version: 1 })
    expect(await removed()).toEqual([])
    expect((await call('GET', `${id}/versions`)).body.data[0]).toMatchObject({ version: 3, changed_by: admin.nickname })
  })

  test('of twenty operators who bring one back at once one wins', async () => {
    const { id } = (await add({ title: 'Twenty ways back', texts })).body.data
    const path = `/admin/answer-templates/${id}`
    await shop.call('PUT', path, { token: admin.token, body: { title: 'No way back' } })
    const body = { restored: 1, version: 2 }
    const back = () => shop.call('POST', `${path}/restore`, { token: admin.token, body })
    const answers = await Promise.all(Array.from({ length: 20 }, back))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('nobody is sent a placeholder that was not filled in', async () => {
    const { id } = await ask()
    const { status, body } = await desk(`${id}/answers`, { text: 'About {order}' })
    expect([status, body.error.details]).toEqual([400, { text: 'placeholder_left' }])
    expect((await desk(`${id}/answers`, { text: 'Type {"a": 1} there' })).status).toBe(201)
  })
})

describe('live', () => {
  let url: string
  let listener: ReturnType<typeof createListener>
  beforeAll(async () => {
    await shop.app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}/api`
    const connected = Promise.withResolvers<void>()
    const announce = announceConversations(shop)
    const conversation = (payload?: string) => {
      if (payload === undefined) connected.resolve()
      announce(payload)
    }
    const handlers = { conversation, session: shop.live.endStreams }
    listener = createListener(shop.config.databaseUrl as string, handlers, shop.log)
    await connected.promise
  })
  afterAll(() => listener.stop())

  /** Opens a stream and keeps what it says. */
  async function follow(path: string, { token, body }: { token?: string; body?: object }) {
    const abort = new AbortController()
    onTestFinished(() => abort.abort())
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: abort.signal,
    })
    expect(answer.status).toBe(200)
    const events: string[] = []
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const part of answer.body as ReadableStream<Uint8Array>)
        events.push(
          ...decoder
            .decode(part)
            .split('\n')
            .filter((line) => line.startsWith('data: ')),
        )
    }
    read().catch(() => {})
    return events
  }

  test('both sides hear of what the other wrote, and nobody else does', async () => {
    const [stranger, visitor] = [await aUser(shop), await ask()]
    const operators = await follow('/admin/conversations/events', { token: colleague.token })
    const { id } = await ask(question, customer.token)
    const event = `data: {"id":${id}}`
    const count = (lines: string[]) => lines.filter((line) => line === event).length
    // Who follows before the question was heard of hears of it, too.
    await expect.poll(() => count(operators)).toBe(1)
    const mine = await follow('/support/conversations/events', { token: customer.token })
    const orders = await follow('/orders/events', { token: customer.token })
    const strange = await follow('/support/conversations/events', { token: stranger.token })
    const linked = await follow('/support/linked/events', { body: { token: visitor.link.split('#')[1] } })

    await desk(`${id}/answers`, { text: 'It is there' })
    await expect.poll(() => mine).toContain(event)
    await expect.poll(() => count(operators)).toBeGreaterThan(1)
    await desk(`${visitor.id}/answers`, { text: 'It is there too' })
    await expect.poll(() => linked).toContain(`data: {"id":${visitor.id}}`)
    await write(id, 'Thanks')
    await expect.poll(() => count(operators)).toBeGreaterThan(2)
    await expect.poll(() => count(mine)).toBe(2)

    // What is notified after the note is heard, and the note was not.
    await desk(`${id}/notes`, { text: 'Done' })
    await expect.poll(() => count(operators)).toBeGreaterThan(3)
    const next = await ask(question, customer.token)
    await expect.poll(() => mine).toContain(`data: {"id":${next.id}}`)
    expect(count(mine)).toBe(2)
    expect([strange, orders, count(linked)]).toEqual([[], [], 0])
  })

  test('who is no operator does not hear of all conversations', async () => {
    const answer = await fetch(`${url}/admin/conversations/events`, {
      headers: { authorization: `Bearer ${customer.token}` },
    })
    expect(answer.status).toBe(403)
  })
})

test('what was kept as messages becomes conversations, and so does what an earlier version still writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'olmos-before-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const all = new URL('../../../migrations/', import.meta.url)
  const before = readdirSync(all).filter((name) => name < '210')
  for (const name of before) await cp(new URL(name, all), join(folder, name))
  const database = await emptyDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) })
  const { rows } = await client.query(`
    INSERT INTO users (nickname, nickname_key, nickname_skeleton, password_hash, role)
    VALUES ('Boss', 'boss', 'boss', '', 'admin') RETURNING id`)
  await client.query(
    `INSERT INTO support_message (nickname, user_id, contact, message, status, note, answered_by, answered_at, kind, named_order)
    VALUES ('Aziz', '17', '@aziz', 'Where is it?', 'open', '', NULL, NULL, 'question', ''),
      ('Lola', '0', '', 'I forgot', 'answered', 'Sent', $1, '2026-01-02T03:04:05Z', 'recovery', 'abc'),
      ('Old', '1', '', '', 'open', '', NULL, NULL, 'question', '')`,
    [rows[0].id],
  )
  await migrate(database.url)
  await client.query(`INSERT INTO support_message (nickname, user_id, message) VALUES ('Late', '5', 'Still here?')`)
  const read = await client.query(`
    SELECT conversation.id::int, nickname, claimed_id, contact, kind, state, named_order, first_answered_at,
      last_customer_id > operators_read AS is_unread,
      (SELECT array_agg(author || ': ' || text ORDER BY message.id) FROM conversation_message AS message
        WHERE conversation_id = conversation.id) AS said
    FROM conversation ORDER BY conversation.id`)
  const at = new Date('2026-01-02T03:04:05Z')
  expect(read.rows).toEqual([
    {
      ...{
        id: 1,
        nickname: 'Aziz',
        claimed_id: '17',
        contact: '@aziz',
        kind: 'question',
        state: 'open',
        named_order: '',
      },
      ...{ first_answered_at: null, is_unread: true, said: ['customer: Where is it?'] },
    },
    {
      ...{
        id: 2,
        nickname: 'Lola',
        claimed_id: '0',
        contact: '',
        kind: 'recovery',
        state: 'closed',
        named_order: 'abc',
      },
      ...{ first_answered_at: at, is_unread: false, said: ['customer: I forgot', 'note: Sent'] },
    },
    expect.objectContaining({ id: 3, said: ['customer: -'] }),
    expect.objectContaining({ id: 4, nickname: 'Late', state: 'open', said: ['customer: Still here?'] }),
  ])
})

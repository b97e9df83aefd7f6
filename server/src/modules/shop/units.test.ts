import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { cacheShop } from './shop.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) =>
  shop.call(method, path, { token: admin.token, ...(body && { body }) })
const set = (body: object) => ask('PUT', '/admin/shop-units', body)
const settings = async () => (await ask('GET', '/admin/shop-units')).body.data

const russian = { one: 'эхо', few: 'эха', many: 'эх' }
const english = { one: 'Echo', other: 'Echoes' }
const forms = { ru: russian, en: english, uz: { other: 'aks-sado' } }

test('an owner gives a currency words, pages get them at once, and every change comes back with its version', async () => {
  const known = cacheShop(shop.database)
  const first = await known.read()
  const { version } = await settings()
  const added = await set({ name: ' Echo ', words: forms, version })
  expect([added.status, added.body.data]).toMatchObject([
    200,
    { units: { Echo: forms }, version: version + 1, changed_by: admin.nickname },
  ])
  known.clear()
  const shown = await known.read()
  expect(shown.version).not.toBe(first.version)
  expect(shown.texts).toEqual({
    ru: { 'units.echo_one': 'эхо', 'units.echo_few': 'эха', 'units.echo_many': 'эх' },
    en: { 'units.echo_one': 'Echo', 'units.echo_other': 'Echoes' },
    uz: { 'units.echo_other': 'aks-sado' },
  })

  // Own texts of the pages stay beside them.
  await ask('PUT', '/admin/shop-texts', { key: 'home.hero', words: { uz: 'Kodlar' } })
  const renamed = await set({ was: 'Echo', name: 'Resonance Echo', words: { uz: forms.uz } })
  expect(renamed.body.data.units).toEqual({ 'Resonance Echo': { uz: forms.uz } })
  known.clear()
  expect((await known.read()).texts).toEqual({
    uz: { 'home.hero': 'Kodlar', 'units.resonance echo_other': 'aks-sado' },
  })

  expect((await set({ name: 'Resonance Echo', words: null })).body.data.units).toEqual({})
  const path = '/admin/shop-versions/units'
  const [newest] = (await ask('GET', path)).body.data
  const back = await ask('POST', `${path}/restore`, { restored: version + 1, version: newest.version })
  expect([back.status, back.body.data.value]).toEqual([200, { Echo: forms }])
  expect((await settings()).units).toEqual({ Echo: forms })

  const entries = await shop.database.rows(sql`
    SELECT action, subject, before, after FROM audit_entry
    WHERE action = 'shop.units' AND actor_id = ${admin.id} ORDER BY id LIMIT 3`)
  const [was, is] = [
    { name: 'Echo', words: forms },
    { name: 'Resonance Echo', words: { uz: forms.uz } },
  ]
  expect(entries).toEqual([
    { action: 'shop.units', subject: 'unit:Echo', before: null, after: was },
    { action: 'shop.units', subject: 'unit:Echo', before: was, after: is },
    { action: 'shop.units', subject: 'unit:Resonance Echo', before: is, after: null },
  ])
})

test.each([
  ['no name', { name: ' ' }, { name: 'required' }],
  ['a long name', { name: 'x'.repeat(41) }, { name: 'too_long' }],
  ['an element', { name: '<b>' }, { name: 'invalid' }],
  ['a key of a text', { name: 'diamond_one' }, { name: 'invalid' }],
  ['what texts are filled in by', { name: '{{count}}' }, { name: 'invalid' }],
  ['a character that nobody sees', { name: 'Ec\u200bho' }, { name: 'invalid' }],
  ['no language', { words: {} }, { words: 'required' }],
  ['a form that is missing', { words: { ru: { one: 'эхо', few: 'эха' } } }, { 'words.ru.many': 'invalid' }],
  ['a blank form', { words: { en: { ...english, other: ' ' } } }, { 'words.en.other': 'required' }],
  ['a form that the language has not', { words: { en: { ...english, few: 'x' } } }, { few: 'unknown_field' }],
  ['a long word', { words: { uz: { other: 'x'.repeat(61) } } }, { 'words.uz.other': 'too_long' }],
  ['an element as a word', { words: { uz: { other: '<img src=x>' } } }, { 'words.uz.other': 'invalid' }],
  ['a word to be filled in', { words: { uz: { other: '{{name}}' } } }, { 'words.uz.other': 'invalid' }],
  ['a line of its own', { words: { uz: { other: 'a\nb' } } }, { 'words.uz.other': 'invalid' }],
  ['a turn of the direction', { words: { uz: { other: 'a\u202eb' } } }, { 'words.uz.other': 'invalid' }],
])('words for a currency are refused: %s', async (_, wrong, details) => {
  const before = await settings()
  const { status, body } = await set({ name: 'Primogem', words: forms, ...wrong })
  expect([status, body.error.details]).toEqual([400, details])
  expect(await settings()).toEqual(before)
})

test.each(['Алмаз', 'V-Buck', 'Genesis Crystal', 'Credit 2', 'प्रतिध्वनि', '原石'])(
  '%s is a name in any script',
  async (name) => {
    const { status, body } = await set({ name, words: { uz: { other: name } } })
    expect([status, body.data?.units[name]]).toEqual([200, { uz: { other: name } }])
    expect((await set({ name, words: null })).status).toBe(200)
  },
)

test('a currency has words once, however its name is written', async () => {
  await set({ name: 'Star Shard', words: forms })
  for (const name of ['star shard', 'STAR SHARDS']) {
    const { status, body } = await set({ name, words: forms })
    expect([status, body.error]).toMatchObject([409, { code: 'DUPLICATE', details: { name: 'duplicate' } }])
  }
  // It may be written in another way itself.
  expect((await set({ was: 'Star Shard', name: 'Star Shards', words: forms })).status).toBe(200)
  for (const missing of [
    { was: 'Star Shard', name: 'Other', words: forms },
    { name: 'constructor', words: null },
  ])
    expect((await set(missing)).status).toBe(404)
  expect((await set({ name: 'Star Shards', words: null })).status).toBe(200)
})

/** Keeps versions that an earlier one of the store saved; returns the number of the first. */
const keep = async (...values: object[]) => {
  const { version } = await settings()
  await shop.database.run(sql`
    INSERT INTO shop_setting (section, version, value)
    SELECT 'units', ${version}::int + at, value
    FROM jsonb_array_elements(${JSON.stringify(values)}::jsonb) WITH ORDINALITY AS one (value, at)`)
  return version + 1
}

test('no more words are kept than pages can carry, and none are brought back that could not be saved', async () => {
  const all = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`Coin ${at}`, { uz: forms.uz }]))
  const { 'Coin 100': _, ...most } = all
  await keep(most)
  const { status, body } = await set({ name: 'Coin 100', words: forms })
  expect([status, body.error.details]).toEqual([400, { name: 'list_too_long' }])

  const restore = async (value: object) => {
    const restored = await keep(value, {})
    const answer = await ask('POST', '/admin/shop-versions/units/restore', { restored })
    return [answer.status, answer.body.error.details]
  }
  expect(await restore(all)).toEqual([400, { name: 'list_too_long' }])
  expect(await restore({ Echo: { ru: { one: 'эхо' } } })).toEqual([
    400,
    { 'Echo.ru.few': 'invalid', 'Echo.ru.many': 'invalid' },
  ])
})

test('own texts of before become words where a language had all of its forms', async () => {
  const own = {
    ru: { 'units.vBucks_one': 'бакс', 'units.vBucks_few': 'бакса', 'units.vBucks_many': 'баксов', 'home.hero': 'Коды' },
    en: { 'units.gold_one': 'Nugget', 'units.gold_other': 'Nuggets', 'units.stars_one': 'Sun' },
    uz: { 'units.gold_other': 'tilla', 'units.bonds_other': '<b>' },
  }
  const migration = readFileSync(new URL('../../../migrations/280-units-of-games.sql', import.meta.url), 'utf8')
  const client = new Client({ connectionString: shop.config.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`BEGIN; ALTER TABLE shop_setting DISABLE TRIGGER USER; DELETE FROM shop_setting WHERE section = 'units';
    INSERT INTO shop_setting (section, version, value)
    SELECT 'texts', max(version) + 1, ${client.escapeLiteral(JSON.stringify(own))} FROM shop_setting WHERE section = 'texts';
    ${migration}`)
  const { rows } = await client.query("SELECT value FROM shop_setting WHERE section = 'units'")
  await client.query('ROLLBACK')
  const [{ value }] = rows
  expect(value).toEqual({
    'V-Buck': { ru: { one: 'бакс', few: 'бакса', many: 'баксов' } },
    Gold: { en: { one: 'Nugget', other: 'Nuggets' }, uz: { other: 'tilla' } },
  })
})

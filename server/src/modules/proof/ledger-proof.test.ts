import { beforeAll, expect, test } from 'vitest'
import { anOffer, toCart } from '../../../test/factories.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'
import { proveInvariants } from '../operations/operations.routes.ts'

const logLines: string[] = []
const shop = useShop({}, { logLines })
const admin = useUser(shop, { role: 'admin' })
const buyer = useUser(shop, { usd: 1_000, rub: 500 })
beforeAll(async () => {
  const offer = await anOffer(shop, { stock: 1, priceUsd: 250 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer) })
  await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
})

const readProof = async () => (await shop.call('GET', '/admin/ledger/proof', { token: admin.token })).body
const prove = async () => (await shop.call('POST', '/admin/ledger/proof', { token: admin.token, body: {} })).body

const openAlerts = () =>
  shop.database.rows<{ kind: string; subject: string }>(sql`SELECT kind, subject FROM alert WHERE resolved_at IS NULL`)

/** Bypasses the trigger that keeps transfers unchanged. */
const tamper = (change: string) =>
  shop.database.pool.query(`BEGIN; SET LOCAL session_replication_role = 'replica'; ${change}; COMMIT`)

test('knows nothing before it has run, and shows what the last run found', async () => {
  expect(await readProof()).toMatchObject({
    proved_at: null,
    is_sound: null,
    accounts: [],
    first_broken_transfer: null,
  })
  const proof = await prove()
  expect(await readProof()).toEqual(proof)
  expect(Date.parse(proof.proved_at)).toBeGreaterThan(Date.now() - 60_000)
})

test('adds up what every account holds, to zero', async () => {
  const proof = await prove()
  expect(proof).toMatchObject({
    is_sound: true,
    sums: [
      { currency: 'USD', sum: 0 },
      { currency: 'RUB', sum: 0 },
    ],
    first_broken_transfer: null,
  })
  expect(proof.accounts).toEqual(
    expect.arrayContaining([
      { kind: 'wallet', currency: 'USD', balance: 7.5 },
      { kind: 'sales', currency: 'USD', balance: 2.5 },
      { kind: 'adjustments', currency: 'USD', balance: -10 },
      { kind: 'adjustments', currency: 'RUB', balance: -5 },
    ]),
  )
  expect(proof.invariants[0]).toMatchObject({ number: 1, name: 'two-ends', offenders: 0 })
})

test('looks of two nodes and an admin at the same moment are not in each other’s way', async () => {
  const [proof] = await Promise.all([prove(), proveInvariants(shop), proveInvariants(shop)])
  expect(proof).toMatchObject({ is_sound: true, first_broken_transfer: null })
})

test('the hourly check keeps what it found and when, and calls nobody while all is well', async () => {
  await proveInvariants(shop)
  const proof = await readProof()
  for (const invariant of proof.invariants) {
    expect(invariant).toMatchObject({ offenders: 0, sample: [], checked_at: expect.stringMatching(/Z$/) })
  }
  expect(await openAlerts()).toEqual([])
})

test('a balance that was changed behind the ledger shows in the next run, and calls the operator once', async () => {
  await tamper(`UPDATE account SET balance = balance + 100 WHERE user_id = ${buyer.id} AND currency = 'USD'`)
  expect(await prove()).toMatchObject({ is_sound: false, sums: [{ currency: 'USD', sum: 1 }, { sum: 0 }] })

  await proveInvariants(shop)
  await proveInvariants(shop)
  expect(await openAlerts()).toEqual([
    { kind: 'invariant', subject: 'zero-sum' },
    { kind: 'invariant', subject: 'balance-is-its-transfers' },
  ])
  const errors = logLines.map((line) => JSON.parse(line)).filter((line) => line.level === 50)
  expect(errors.map((line) => line.invariant.name)).toEqual(
    expect.arrayContaining(['zero-sum', 'balance-is-its-transfers']),
  )
  const broken = (await readProof()).invariants.filter((invariant: { offenders: number }) => invariant.offenders > 0)
  expect(broken).toMatchObject([
    { number: 2, sample: ['USD'] },
    { number: 3, sample: [expect.stringMatching(/^account \d+$/)] },
  ])
  await tamper(`UPDATE account SET balance = balance - 100 WHERE user_id = ${buyer.id} AND currency = 'USD'`)

  await proveInvariants(shop)
  expect(await openAlerts()).toEqual([])
})

test('names the first transfer after which a history does not add up', async () => {
  const first = await shop.database.one<{ id: number }>(sql`
    SELECT min(transfer.id) AS id FROM transfer JOIN account ON account.id = credit_account WHERE user_id = ${buyer.id}`)
  await tamper(`UPDATE transfer SET credit_balance = credit_balance + 5 WHERE id = ${first.id}`)
  expect(await prove()).toMatchObject({
    is_sound: false,
    sums: [{ sum: 0 }, { sum: 0 }],
    first_broken_transfer: {
      id: first.id,
      kind: 'adjustment',
      currency: 'USD',
      amount: 10,
      balance_after: 10.05,
      balance_expected: 10,
    },
  })
})

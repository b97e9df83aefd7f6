import { afterEach, expect, test } from 'vitest'
import { expectSound } from '../../../test/card-orders.ts'
import { aUser } from '../../../test/factories.ts'
import { someGenerated } from '../../../test/game-codes.ts'
import { aPlayer, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop } from '../../../test/use-shop.ts'
import { sql } from '../../platform/database/queries.ts'

const shop = useShop()
afterEach(() => expectSound(shop))

test('a code that was spent on a player who is refused may be spent on another, and costs nobody anything', async () => {
  const batch = await someGenerated(shop, await aUser(shop, { role: 'admin' }))
  const buyer = await aUser(shop)
  const activate = (playerID: string) =>
    shop.call('POST', '/freefire/activate-code', {
      token: buyer.token,
      body: { playerID, code: batch.codes[0]?.plain },
    })
  const toStatus = async (id: string) =>
    (await shop.call('GET', `/orders/${id}`, { token: buyer.token })).body.status as string

  const refused = await activate(aPlayer('6001'))
  expect(refused.status).toBe(200)
  expect((await activate(aPlayer())).body.error.code).toBe('CODE_ALREADY_USED')
  await workOff(shopFor(shop))
  expect(await toStatus(refused.body.order_id)).toBe('refunded')

  const player = aPlayer()
  const delivered = await activate(player)
  expect(delivered.status).toBe(200)
  await workOff(shopFor(shop))
  expect(await toStatus(delivered.body.order_id)).toBe('completed')
  expect(await shop.database.rows(sql`SELECT FROM sandbox_execution WHERE account = ${player}`)).toHaveLength(1)
  expect(await shop.database.rows(sql`SELECT FROM transfer WHERE kind = 'refund'`)).toEqual([])
  expect((await activate(aPlayer())).body.error.code).toBe('CODE_ALREADY_USED')
})

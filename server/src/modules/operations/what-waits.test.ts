import { expect, test } from 'vitest'
import { anOffer, aUser, toCart } from '../../../test/factories.ts'
import { aPlayer, aTopupOrder, passDeliveryTime, shopFor, workOff } from '../../../test/topup-orders.ts'
import { useShop, useUser } from '../../../test/use-shop.ts'
import { raiseAlert } from '../../platform/live/alert.ts'
import { handOverOverdue } from '../delivery/deliveries.ts'
import { warnOfLowStock } from './summary.ts'

const shop = useShop()
const admin = useUser(shop, { role: 'admin' })

const read = async (path: string) => (await shop.call('GET', `/admin${path}`, { token: admin.token })).body

test('what waits is counted once: an alert about a conversation, a delivery or a package does not count beside it', async () => {
  // One delivery is the operator's; another goes by itself.
  await aTopupOrder(shop, { players: [aPlayer('6004')] })
  await workOff(shopFor(shop))
  await passDeliveryTime(shop, 15 * 60)
  await workOff(shopFor(shop))
  await handOverOverdue(shop.database)
  await aTopupOrder(shop)
  await shop.call('POST', '/support', { body: { nickname: 'N', userId: '1', message: 'Help' } })
  const offer = await anOffer(shop, { stock: 3 })
  const buyer = await aUser(shop, { usd: 10_000 })
  await shop.call('POST', '/cart/add', { token: buyer.token, body: toCart(offer, 1) })
  await shop.call('POST', '/payment/from-balance', { token: buyer.token, body: { currency: 'USD' } })
  await warnOfLowStock(shop)
  await raiseAlert(shop.database, { kind: 'supplier.out', subject: 'kinguin', details: {} })

  expect((await read('/alerts?state=open')).data.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'codes.low',
    'delivery.stuck',
    'supplier.out',
    'support.waiting',
  ])
  expect((await read('/alerts/count')).data).toEqual({ open: 4, only_here: 1 })
  const { data: summary } = await read('/summary')
  expect([summary.deliveries_with_operator, summary.support_open]).toEqual([1, 1])
  expect((await read('/deliveries/count')).data).toEqual({ with_operator: 1 })

  // Each figure is the length of the list it leads to.
  expect((await read('/alerts?state=open&waits=here')).total).toBe(1)
  expect((await read('/alerts?state=open&waits=elsewhere')).total).toBe(3)
  expect((await read('/deliveries?state=operator')).total).toBe(1)
  expect((await read('/deliveries')).total).toBe(2)
  expect((await read('/conversations?state=open')).total).toBe(1)
})

import { isStorable } from '@olmos/contract/storable'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { signSeagm, startSeagm } from '../../../../test/doubles/seagm.ts'
import { changes, spoil } from '../../../../test/rubbish.ts'
import type { Webhook } from '../../../platform/vendor/adapters.ts'
import { createVendorFetch } from '../../../platform/vendor/vendor.ts'
import { seagm } from './seagm.ts'

const supplier = seagm.create(
  { SEAGM_UID: '10001', SEAGM_SECRET_KEY: 'sg_test_secret', SEAGM_BASE_URL: 'http://127.0.0.1:1' },
  { fetchVendor: createVendorFetch(), rateToBuyBy: async () => undefined },
)
const read = ({ body, headers }: Pick<Webhook, 'body' | 'headers'>) =>
  supplier.readWebhook?.({ body, headers, address: '127.0.0.1', now: new Date() })
const example = {
  id: '12563858',
  title: 'HipVan S$30 HipVan',
  status_code: 10_003,
  timestamp: 1_622_444_077,
  mch_order_id: 'D2022031106',
  refunded_reason: '',
}
const json = (params: object) => ({ body: Buffer.from(JSON.stringify(params)), headers: {} })

test.each([
  ['as it is', '89300cd6b01b2db674ba598a99e298dd7ea39ec562d08a6cc6eda6b1b8fcaa64'],
  ['as a form writes it', 'a3e924daccc8e9cd673be8e94fa735c3e8f5af7d97c695aaa3c0bb759d92f874'],
])(
  'a callback with the signature that another program computes of it %s is taken, and answered with the word',
  (_how, signature) => {
    for (const written of [signature, signature.toUpperCase()]) {
      expect(read(json({ ...example, signature: written }))).toEqual({
        verified: true,
        events: [{ eventKey: '12563858:10003:1622444077', about: { key: 'D2022031106' } }],
        reply: { status: 200, body: 'success' },
      })
    }
  },
)

test.each(Object.keys(example))('a callback of which %s was changed is refused', (param) => {
  const signature = signSeagm('sg_test_secret', example)
  expect(read(json({ ...example, signature }))).toMatchObject({ verified: true })
  expect(read(json({ ...example, [param]: '1', signature }))).toMatchObject({ verified: false })
})

test('a callback is taken as JSON and as a form, with spaces and ampersands in it', async () => {
  const vendor = await startSeagm()
  const key = crypto.randomUUID()
  for (const as of ['json', 'form'] as const) {
    expect(read(vendor.callback(key, { as, title: 'PUBG 60 UC & a bonus' }))).toMatchObject({
      verified: true,
      events: [{ about: { key } }],
    })
  }
  await vendor.close()
})

test('a callback of an order that was made by hand names it as the vendor does', () => {
  const { mch_order_id: _, ...byHand } = example
  const signature = signSeagm('sg_test_secret', byHand)
  expect(read(json({ ...byHand, signature }))).toMatchObject({ events: [{ about: { supplierOrderId: '12563858' } }] })
})

test('a callback that is rubbish somewhere never throws, and what it says can be stored', () => {
  fc.assert(
    fc.property(changes, (spoiling) => {
      const spoilt = spoil(example, spoiling)
      const params = typeof spoilt === 'object' && spoilt !== null ? (spoilt as Record<string, string>) : {}
      const reading = read(json({ ...params, signature: signSeagm('sg_test_secret', params) }))
      const [event] = reading?.verified ? reading.events : []
      if (event) expect(isStorable(event.eventKey)).toBe(true)
      if (event && 'supplierOrderId' in event.about) expect(isStorable(event.about.supplierOrderId)).toBe(true)
    }),
  )
})

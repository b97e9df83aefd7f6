import { endpoint } from '@olmos/contract/endpoint'
import { Failure } from '@olmos/contract/failure'
import type { FailureCode } from '@olmos/contract/failure-codes'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { complaintAbout, undocumentedRefusals } from '../../test/documented-refusals.ts'

const row = endpoint('POST /things/:id', {
  operationId: 'changeThing',
  refusals: ['OUT_OF_STOCK', 'STATE_CONFLICT'],
  access: 'customer',
  summary: 'Changes a thing',
  params: z.object({ id: z.string() }),
  answer: z.undefined(),
  tag: 'test',
})
const forged = (code: FailureCode, details?: object) =>
  new (Failure as new (code: FailureCode, details?: object) => Failure)(code, details)

test('what follows from the row, or stands in it, is documented', () => {
  expect(complaintAbout(row, new Failure('NOT_FOUND'))).toBeUndefined()
  expect(complaintAbout(row, new Failure('UNAUTHENTICATED'))).toBeUndefined()
  expect(complaintAbout(row, new Failure('OUT_OF_STOCK', { available_count: 0 }))).toBeUndefined()
})

test.each([
  ['another code', forged('CART_EMPTY'), "add 'CART_EMPTY' to its `refusals`"],
  ['a detail under another name', forged('OUT_OF_STOCK', { left: 0 }), 'refusalDetails.OUT_OF_STOCK'],
  ['a detail too many', forged('OUT_OF_STOCK', { available_count: 0, more: 1 }), 'refusalDetails.OUT_OF_STOCK'],
  ['a conflict without its reason', forged('STATE_CONFLICT', { user: 'last_admin' }), 'refusalDetails.STATE_CONFLICT'],
  ['no details where there must be some', forged('OUT_OF_STOCK'), 'refusalDetails.OUT_OF_STOCK'],
])('%s fails the test that met it, and says what to write', (_name, failure, help) => {
  const refusals = undocumentedRefusals()
  refusals.note(row, failure)
  expect(() => refusals.requireNone()).toThrow(help)
  expect(() => refusals.requireNone()).toThrow('POST /things/:id (changeThing)')
})

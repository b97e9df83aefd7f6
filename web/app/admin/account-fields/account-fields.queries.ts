import type { accountFieldsApi } from '@olmos/contract/account-fields'
import type { AnswerTo } from '@olmos/contract/endpoint'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminRead } from '../list/use-admin-list.ts'
import { type FieldsForm, sentFields } from './fields-form.ts'

const read = caller<typeof accountFieldsApi.read>('GET /admin/products/:id/fields')
const change = caller<typeof accountFieldsApi.change>('PUT /admin/products/:id/fields')
const send = caller<typeof accountFieldsApi.try>('POST /admin/products/:id/try')

export type EditedAccount = AnswerTo<typeof accountFieldsApi.read>['data']
export type TriedTopup = AnswerTo<typeof accountFieldsApi.try>['data']

export const useAccountFields = (productId: number) =>
  useAdminRead(queryKeys.admin.noun('products', 'fields', productId), read, { params: { id: String(productId) } })

export const saveAccountFields = (productId: number, form: FieldsForm, version: number | undefined) =>
  change({ params: { id: String(productId) }, body: { fields: sentFields(form), ...(version && { version }) } })

export interface Trial {
  account: Record<string, string>
  /** What the sandbox is to deliver; undefined for nothing. */
  offerId: number | undefined
}

/** Checks an account as a customer would, and has the sandbox deliver an offer to it. Nobody is charged. */
export const tryTopup = (productId: number, { account, offerId }: Trial) =>
  send({ params: { id: String(productId) }, body: { account, ...(offerId && { offerId }) } })

import { z } from 'zod'
import { passwordFrom, roles } from './accounts.ts'
import { adminEndpoint } from './endpoint.ts'
import { byId, id, listQuery, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'

export const listedUser = z.object({
  id,
  nickname: z.string(),
  role: z.enum(roles),
  balanceUsd: shownAmountSchema,
  balanceRub: shownAmountSchema,
  /** Has no sessions and can't log in. */
  is_blocked: z.boolean(),
  created_at: time,
})
export type ListedUser = z.infer<typeof listedUser>

/** Set by an admin, and works for one login only, to choose another: two characters fewer than users' own need. */
const resetPassword = passwordFrom(LIMITS.adminPasswordMin)

export const usersApi = {
  list: adminEndpoint('GET /admin/users', {
    operationId: 'listUsers',
    summary: 'Users with their balances',
    query: listQuery(['id', 'nickname', 'created_at']).extend({
      role: z.enum(roles).optional(),
      blocked: z.enum(['true', 'false']).optional(),
    }),
    answer: toList(listedUser),
  }),
  one: adminEndpoint('GET /admin/users/:id', {
    operationId: 'readUser',
    refusals: ['USER_NOT_FOUND'],
    summary: 'One user',
    params: byId,
    answer: toData(listedUser),
  }),
  setPassword: adminEndpoint('PUT /admin/users/:id/password', {
    operationId: 'setPasswordOfUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    confirmed: true,
    summary: 'Sets a temporary password and ends every session of the user; the own one is changed in the profile',
    params: byId,
    body: z.strictObject({ password: resetPassword }),
    answer: toData(listedUser),
  }),
  setRole: adminEndpoint('PUT /admin/users/:id/role', {
    operationId: 'setRoleOfUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    confirmed: true,
    summary: 'Makes a user an admin, or no longer one; the last admin stays, and nobody takes away the own role',
    params: byId,
    body: z.strictObject({ role: z.enum(roles) }),
    answer: toData(listedUser),
  }),
  setBlocked: adminEndpoint('PUT /admin/users/:id/blocked', {
    operationId: 'blockUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Blocks a user, which ends every session, or lets one in again; nobody blocks the own account',
    params: byId,
    body: z.strictObject({ blocked: z.boolean() }),
    answer: toData(listedUser),
    confirmed: true,
  }),
}

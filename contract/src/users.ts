import { z } from 'zod'
import { passwordFrom, roles } from './accounts.ts'
import { adminEndpoint } from './endpoint.ts'
import { byId, date, id, listQuery, time, toData, toList } from './fields.ts'
import * as LIMITS from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { roleName } from './staff.ts'

export const listedUser = z.object({
  id,
  nickname: z.string(),
  role: z.enum(roles),
  /** What an admin does in the shop; null for customers. */
  staff_role: roleName.nullable(),
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
    permission: 'customers.read',
    summary: 'Users with their balances; a search is for a part of a nickname, an id, or the contact of the profile',
    query: listQuery(['id', 'nickname', 'created_at']).extend({
      role: z.enum(roles).optional(),
      blocked: z.enum(['true', 'false']).optional(),
      /** The first and the last day on which they registered, in the shop's time zone. */
      from: date.optional(),
      to: date.optional(),
    }),
    answer: toList(listedUser),
  }),
  one: adminEndpoint('GET /admin/users/:id', {
    operationId: 'readUser',
    permission: 'customers.read',
    refusals: ['USER_NOT_FOUND'],
    summary: 'One user',
    params: byId,
    answer: toData(listedUser),
  }),
  setPassword: adminEndpoint('PUT /admin/users/:id/password', {
    operationId: 'setPasswordOfUser',
    permission: 'customers.write',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT', 'RATE_LIMITED'],
    confirmed: true,
    summary:
      'Sets a temporary password, ends every session of the user, and tells every contact; the own one is changed in the profile',
    params: byId,
    body: z.strictObject({ password: resetPassword }),
    answer: toData(listedUser),
  }),
  setRole: adminEndpoint('PUT /admin/users/:id/role', {
    operationId: 'setRoleOfUser',
    permission: 'staff.write',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    confirmed: true,
    summary:
      'Makes a user an owner, or no longer one of the staff; the last owner stays, and nobody takes away the own role',
    params: byId,
    body: z.strictObject({ role: z.enum(roles) }),
    answer: toData(listedUser),
  }),
  setBlocked: adminEndpoint('PUT /admin/users/:id/blocked', {
    operationId: 'blockUser',
    permission: 'customers.write',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Blocks a user, which ends every session, or lets one in again; nobody blocks the own account',
    params: byId,
    body: z.strictObject({ blocked: z.boolean() }),
    answer: toData(listedUser),
    confirmed: true,
  }),
}

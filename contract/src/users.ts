import { z } from 'zod'
import { roles } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { id, idText, listQuery, time, toData, toList } from './fields.ts'
import { LIMITS } from './limits.ts'
import { shownAmountSchema } from './money.ts'
import { isStorable } from './storable.ts'

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
const resetPassword = z
  .string()
  .min(LIMITS.adminPasswordMin, 'password_too_short')
  .max(LIMITS.passwordMax, 'password_too_long')
  .regex(/\d/, 'password_no_number')
  .refine(isStorable, 'invalid_text')

const params = z.object({ id: idText })
const tag = 'admin'

export const usersApi = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users',
    operationId: 'listUsers',
    access: 'admin',
    tag,
    summary: 'Users with their balances',
    query: listQuery(['id', 'nickname', 'created_at']).extend({
      role: z.enum(roles).optional(),
      blocked: z.enum(['true', 'false']).optional(),
    }),
    answer: toList(listedUser),
  }),
  one: endpoint({
    method: 'GET',
    path: '/admin/users/:id',
    operationId: 'readUser',
    refusals: ['USER_NOT_FOUND'],
    access: 'admin',
    tag,
    summary: 'One user',
    params,
    answer: toData(listedUser),
  }),
  setPassword: endpoint({
    method: 'PUT',
    path: '/admin/users/:id/password',
    operationId: 'setPasswordOfUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    access: 'admin',
    confirmed: true,
    tag,
    summary: 'Sets a temporary password and ends every session of the user; the own one is changed in the profile',
    params,
    body: z.strictObject({ password: resetPassword }),
    answer: toData(listedUser),
  }),
  setRole: endpoint({
    method: 'PUT',
    path: '/admin/users/:id/role',
    operationId: 'setRoleOfUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    access: 'admin',
    confirmed: true,
    tag,
    summary: 'Makes a user an admin, or no longer one; the last admin stays, and nobody takes away the own role',
    params,
    body: z.strictObject({ role: z.enum(roles) }),
    answer: toData(listedUser),
  }),
  setBlocked: endpoint({
    method: 'PUT',
    path: '/admin/users/:id/blocked',
    operationId: 'blockUser',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    access: 'admin',
    tag,
    summary: 'Blocks a user, which ends every session, or lets one in again; nobody blocks the own account',
    params,
    body: z.strictObject({ blocked: z.boolean() }),
    answer: toData(listedUser),
    confirmed: true,
  }),
}

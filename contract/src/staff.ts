import { z } from 'zod'
import { accountSession } from './accounts.ts'
import { adminEndpoint } from './endpoint.ts'
import {
  bigId,
  byId,
  emptyBody,
  id,
  idText,
  listQuery,
  nothing,
  text,
  time,
  toData,
  toList,
  version,
} from './fields.ts'
import * as LIMITS from './limits.ts'
import { amountSchema, shownAmountSchema } from './money.ts'
import { builtInRoles, givablePermissions, permissions, type StaffLimit, staffLimits } from './permissions.ts'
import { keptVersion, removedThing, restoredVersion } from './versions.ts'

/** A role as it is named beside a person. */
export const roleName = z.object({
  id,
  /** Null for a set of the shop's own. */
  built_in: z.enum(builtInRoles).nullable(),
  /** What the shop calls it; null for a built-in role, which every language has its own name for. */
  name: z.string().nullable(),
})
export type RoleName = z.infer<typeof roleName>

/** Null is no limit. */
const limits = z.object(
  Object.fromEntries(staffLimits.map((limit) => [limit, shownAmountSchema.nullable()])) as Record<
    StaffLimit,
    z.ZodNullable<typeof shownAmountSchema>
  >,
)
const givenLimits = z.strictObject(
  Object.fromEntries(staffLimits.map((limit) => [limit, amountSchema.nullable()])) as Record<
    StaffLimit,
    z.ZodNullable<typeof amountSchema>
  >,
)

export const staffRole = roleName.extend({
  permissions: z.array(z.enum(permissions)),
  limits,
  /** How many have it. */
  people: z.int(),
  version,
})
export type StaffRole = z.infer<typeof staffRole>

export const staffMember = z.object({
  id,
  nickname: z.string(),
  staff_role: roleName,
  is_blocked: z.boolean(),
  has_second_factor: z.boolean(),
  /** To the minute; null for who was never logged in as one of the staff. */
  last_seen_at: time.nullable(),
  /** How many sessions are open. */
  sessions: z.int(),
})
export type StaffMember = z.infer<typeof staffMember>

const name = text(1, LIMITS.roleNameMax)
const givenPermissions = z.array(z.enum(givablePermissions)).transform((chosen) => [...new Set(chosen)])

const newRole = z.strictObject({ name, permissions: givenPermissions, limits: givenLimits })
export type NewRole = z.output<typeof newRole>

/** A field that is left out stays as it is; of a built-in role only the limits can be changed. */
const roleChange = newRole.partial().extend({ version: version.optional() })
export type RoleChange = z.output<typeof roleChange>

export const staffApi = {
  list: adminEndpoint('GET /admin/staff', {
    operationId: 'listStaff',
    permission: 'staff.write',
    summary: 'Who works in the admin area; a search is for a part of a nickname',
    query: listQuery(['nickname', 'last_seen_at']).extend({ roleId: idText.optional() }),
    answer: toList(staffMember),
  }),
  add: adminEndpoint('POST /admin/staff', {
    operationId: 'addStaff',
    permission: 'staff.write',
    refusals: ['USER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Gives a role to whoever has this nickname; nobody gives a permission or a limit beyond the own ones',
    body: z.strictObject({ nickname: text(1, LIMITS.nicknameMax), role_id: id }),
    answer: toData(staffMember),
    status: 201,
    confirmed: true,
  }),
  setRole: adminEndpoint('PUT /admin/staff/:id/role', {
    operationId: 'setRoleOfStaff',
    permission: 'staff.write',
    refusals: ['USER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Gives another role, or with null none any more; open sessions follow at their next call',
    params: byId,
    body: z.strictObject({
      role_id: id.nullable(),
      /** The role that the caller saw. Without it, whatever a colleague gave meanwhile is taken away. */
      seen: id.optional(),
    }),
    answer: toData(z.object({ id, staff_role: roleName.nullable() })),
    confirmed: true,
  }),
  sessions: adminEndpoint('GET /admin/staff/:id/sessions', {
    operationId: 'listSessionsOfStaff',
    permission: 'staff.write',
    refusals: ['USER_NOT_FOUND'],
    summary: 'Open sessions of a colleague, the one that was used last first',
    params: byId,
    answer: toData(z.array(accountSession)),
  }),
  endSessions: adminEndpoint('POST /admin/staff/:id/sessions/end', {
    operationId: 'endSessionsOfStaff',
    permission: 'staff.write',
    refusals: ['USER_NOT_FOUND', 'NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Ends one session of a colleague, or all of them',
    params: byId,
    body: z.strictObject({ session_id: bigId.optional() }),
    answer: nothing,
    status: 204,
    confirmed: true,
  }),
  resetSecondFactor: adminEndpoint('POST /admin/staff/:id/second-factor/reset', {
    operationId: 'resetSecondFactorOfStaff',
    permission: 'staff.second_factor',
    refusals: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
    summary: 'Takes a lost second factor away from a colleague and ends every session; the caller must have one',
    params: byId,
    body: emptyBody,
    answer: nothing,
    status: 204,
    confirmed: true,
  }),
  roles: adminEndpoint('GET /admin/staff-roles', {
    operationId: 'listStaffRoles',
    permission: 'staff.write',
    summary: 'What roles there are, the built-in ones first, with their permissions and limits',
    answer: toData(z.array(staffRole)),
  }),
  addRole: adminEndpoint('POST /admin/staff-roles', {
    operationId: 'addStaffRole',
    permission: 'staff.write',
    refusals: ['DUPLICATE'],
    summary: 'Makes a set of permissions with its limits, none of them beyond the own ones',
    body: newRole,
    answer: toData(staffRole),
    status: 201,
    confirmed: true,
  }),
  changeRole: adminEndpoint('PUT /admin/staff-roles/:id', {
    operationId: 'changeStaffRole',
    permission: 'staff.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary: 'Changes a set of permissions, or the limits of a built-in role; nobody changes the own role',
    params: byId,
    body: roleChange,
    answer: toData(staffRole),
    confirmed: true,
  }),
  roleVersions: adminEndpoint('GET /admin/staff-roles/:id/versions', {
    operationId: 'listStaffRoleVersions',
    permission: 'staff.write',
    summary: 'The last fifty versions of a role, newest first',
    params: byId,
    answer: toData(z.array(keptVersion)),
  }),
  removedRoles: adminEndpoint('GET /admin/staff-roles/removed', {
    operationId: 'listRemovedStaffRoles',
    permission: 'staff.write',
    summary: 'The last fifty roles that were deleted, as each was last; restoring a version brings one back',
    answer: toData(z.array(removedThing)),
  }),
  restoreRole: adminEndpoint('POST /admin/staff-roles/:id/restore', {
    operationId: 'restoreStaffRole',
    permission: 'staff.write',
    refusals: ['DUPLICATE', 'STATE_CONFLICT'],
    summary:
      'Changes a role to what an older version says, or brings a deleted one back, if the caller could save that today',
    params: byId,
    body: restoredVersion,
    answer: toData(staffRole),
    confirmed: true,
  }),
  removeRole: adminEndpoint('DELETE /admin/staff-roles/:id', {
    operationId: 'removeStaffRole',
    permission: 'staff.write',
    refusals: ['STATE_CONFLICT'],
    summary: 'Deletes a set of permissions that nobody has',
    params: byId,
    answer: nothing,
    status: 204,
    confirmed: true,
  }),
}

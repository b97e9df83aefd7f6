import { type StaffLimit, staffLimits } from '@olmos/contract/permissions'
import type { NewRole, StaffMember, StaffRole, staffApi } from '@olmos/contract/staff'
import { caller } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAdminList, useAdminRead } from '../list/use-admin-list.ts'
import type { Bin } from '../shop/Removed.tsx'
import type { History } from '../shop/Versions.tsx'

const list = caller<typeof staffApi.list>('GET /admin/staff')
const add = caller<typeof staffApi.add>('POST /admin/staff')
const role = caller<typeof staffApi.setRole>('PUT /admin/staff/:id/role')
const sessions = caller<typeof staffApi.sessions>('GET /admin/staff/:id/sessions')
const end = caller<typeof staffApi.endSessions>('POST /admin/staff/:id/sessions/end')
const reset = caller<typeof staffApi.resetSecondFactor>('POST /admin/staff/:id/second-factor/reset')
const roles = caller<typeof staffApi.roles>('GET /admin/staff-roles')
const addRole = caller<typeof staffApi.addRole>('POST /admin/staff-roles')
const changeRole = caller<typeof staffApi.changeRole>('PUT /admin/staff-roles/:id')
const roleVersions = caller<typeof staffApi.roleVersions>('GET /admin/staff-roles/:id/versions')
const restoreRole = caller<typeof staffApi.restoreRole>('POST /admin/staff-roles/:id/restore')
const removedList = caller<typeof staffApi.removedRoles>('GET /admin/staff-roles/removed')
const remove = caller<typeof staffApi.removeRole>('DELETE /admin/staff-roles/:id')

export const useStaff = () => useAdminList<StaffMember>({ noun: 'staff', load: list, filters: ['roleId'] })

export const useRoles = () => useAdminRead(queryKeys.admin.noun('staff', 'roles'), roles, {})

export const useSessionsOfStaff = (id: number) =>
  useAdminRead(queryKeys.admin.noun('staff', 'sessions', id), sessions, { params: { id: String(id) } })

export const addStaff = (nickname: string, roleId: number) => add({ body: { nickname, role_id: roleId } })

const params = ({ id }: { id: number }) => ({ id: String(id) })

/** Gives a colleague another role than the one that was seen, or with null none any more. */
export const setRoleOfStaff = (member: StaffMember, roleId: number | null, seen: number) =>
  role({ params: params(member), body: { role_id: roleId, seen } })

/** Ends one session, or all of them. */
export const endSessions = (member: StaffMember, sessionId?: number) =>
  end({ params: params(member), body: sessionId === undefined ? {} : { session_id: sessionId } })

export const resetSecondFactor = (member: StaffMember) => reset({ params: params(member), body: {} })

export interface RoleValues extends Record<string, unknown> {
  name: string
  permissions: string[]
  /** As typed; blank is no limit. */
  limits: Record<StaffLimit, string | number>
}

const toLimits = (typed: RoleValues['limits']): NewRole['limits'] => {
  const limits = {} as NewRole['limits']
  for (const limit of staffLimits) limits[limit] = typed[limit] === '' ? null : Number(typed[limit])
  return limits
}

export function saveRole(
  known: StaffRole | undefined,
  { name, permissions, limits }: RoleValues,
  version: number | undefined,
) {
  const wish = {
    limits: toLimits(limits),
    ...(!known?.built_in && { name, permissions: permissions as NewRole['permissions'] }),
  }
  return known
    ? changeRole({ params: params(known), body: { ...wish, ...(version && { version }) } })
    : addRole({ body: { name, permissions: permissions as NewRole['permissions'], limits: wish.limits } })
}

export const roleHistory = (known: StaffRole): History => ({
  noun: 'staff',
  key: known.id,
  permission: 'staff.write',
  read: (_, options) => roleVersions({ params: params(known) }, options),
  restore: (restored, version) => restoreRole({ params: params(known), body: { restored, version } }),
})

export const removedRoles: Bin = {
  noun: 'staff',
  permission: 'staff.write',
  read: removedList,
  toName: ({ value }) => String(value.name),
  restore: ({ id, version }) => restoreRole({ params: { id: String(id) }, body: { restored: version, version } }),
}

export const removeRole = (known: StaffRole) => remove({ params: params(known) })

import { accountsApi } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import { secondFactorApi } from '@olmos/contract/second-factor'
import { staffApi } from '@olmos/contract/staff'
import { usersApi } from '@olmos/contract/users'
import type { Context } from '../../platform/context.ts'
import { type RateLimiter, toNetwork } from '../../platform/http/rate-limit.ts'
import { toDigest } from '../../platform/security/tokens.ts'
import { readTimeZone } from '../shop/shop.ts'
import { listVersions } from '../shop/versions.ts'
import { findUserByNickname, readProfile, setLanguage, type User } from './accounts.store.ts'
import { changeContact, changePassword, nicknameKey, type Passwords, register } from './accounts.ts'
import { blockUser, endColleaguesSessions, giveRole, listUsers, readUser } from './change-user.ts'
import {
  confirmAgain,
  confirmSession,
  enrolSecondFactor,
  giveUpSecondFactor,
  hasSecondFactor,
  offerSecret,
  readSecondFactorStatus,
  renewRecoveryCodes,
  resetColleaguesFactor,
  takeCode,
} from './second-factor.ts'
import {
  createLoginGate,
  deleteOtherSessions,
  deleteSession,
  deviceToken,
  endOwnSession,
  isKnownDevice,
  type LoginGate,
  openSession,
  ownSessions,
  type SessionOrigin,
  toOrigin,
} from './sessions.ts'
import {
  changeStaffRole,
  createRole,
  listRemovedRoles,
  listRoles,
  listStaff,
  readMember,
  readOwnerRoleId,
  removeRole,
  requireStaff,
  restoreRole,
} from './staff.ts'

interface Credentials {
  nickname: string
  password: string
  otp?: string | undefined
  device?: string | undefined
}

interface LoginMeans extends Pick<Context, 'database' | 'vault' | 'clock' | 'security'> {
  passwords: Passwords
  gate: LoginGate
  /** Limits attempts at codes of the second factor. */
  tries: RateLimiter
}

/**
 * Opens a session for a nickname with its password, and the second factor if there is one. An unknown nickname is 404,
 * because registering reveals as much; only a caller who knows the password learns that the user is blocked. Refuses
 * with INVALID_CREDENTIALS, SECOND_FACTOR_REQUIRED or RATE_LIMITED.
 */
export async function logIn(
  means: LoginMeans,
  credentials: Credentials,
  caller: { address: string; userAgent: string },
) {
  const { address } = caller
  const { database, vault, security, gate } = means
  const network = toNetwork(address)
  const user = await findUserByNickname(database, nicknameKey(credentials.nickname))
  if (!user) {
    security.note('login_refused', { network, reason: 'unknown_nickname' })
    throw new Failure('USER_NOT_FOUND')
  }
  const { device } = credentials
  const known = device !== undefined && isKnownDevice(vault, user, device) ? device : undefined
  const attempt = await gate({ userId: user.id, address, device: known }).catch((error) => {
    security.note('login_limited', { user: user.id, network })
    throw error
  })
  if (!(await isRight(means, attempt, user, credentials.password))) {
    security.note('login_refused', { user: user.id, network, reason: 'wrong_password' })
    throw new Failure('INVALID_CREDENTIALS')
  }
  if (user.is_blocked) {
    security.note('login_refused', { user: user.id, network, reason: 'blocked' })
    throw new Failure('FORBIDDEN', { user: 'blocked' })
  }
  const token = await openSessionWith(means, user, credentials.otp, toOrigin(caller))
  await attempt.forget()
  security.note('login', { user: user.id, network })
  return {
    token,
    nickname: user.nickname,
    userId: user.id,
    device: known ?? deviceToken(vault, user),
    ...(user.is_password_temporary && { mustChangePassword: true as const }),
  }
}

/** A password that the store was too busy to check does not count as an attempt. */
async function isRight(
  { passwords }: LoginMeans,
  attempt: Awaited<ReturnType<LoginGate>>,
  user: User,
  password: string,
) {
  try {
    return await passwords.verify(user.password_hash, password)
  } catch (error) {
    await attempt.releaseTry()
    throw error
  }
}

/** Opens a session after the password was given; a user with a second factor must have given that too. */
async function openSessionWith(
  { database, vault, clock, tries, security }: LoginMeans,
  user: User,
  otp: string | undefined,
  origin: SessionOrigin,
): Promise<string> {
  if (!(await hasSecondFactor(database, user.id))) {
    return database.transaction(async (tx) => {
      const token = await openSession(tx, user, origin)
      // One that was being enrolled meanwhile, which this waited for, knew nothing of the session to end.
      if (await hasSecondFactor(tx, user.id)) throw new Failure('SECOND_FACTOR_REQUIRED')
      return token
    })
  }
  if (!otp) throw new Failure('SECOND_FACTOR_REQUIRED')
  await tries.count(String(user.id))
  const token = await database.transaction(async (tx) => {
    if (!(await takeCode(tx, { vault, clock }, user.id, otp))) {
      security.note('second_factor_refused', { user: user.id, network: origin.network ?? undefined })
      throw new Failure('INVALID_CREDENTIALS', { otp: 'wrong_code' })
    }
    const opened = await openSession(tx, user, origin)
    await confirmSession(tx, toDigest(opened))
    return opened
  })
  await tries.forget(String(user.id))
  return token
}

export function accountsRoutes(context: Context, passwords: Passwords): void {
  const { serve, database, vault, security, rateLimiter } = context
  const registrations = rateLimiter('registrationsPerAddress')
  const loginsPerAddress = rateLimiter('loginsPerAddress')
  const changes = rateLimiter('passwordChangesPerUser')
  const means = {
    ...context,
    passwords,
    gate: createLoginGate(context),
    tries: rateLimiter('secondFactorTriesPerUser'),
  }

  serve(accountsApi.register, async ({ body, address, userAgent, language }) => {
    await registrations.count(address)
    const user = await register(database, passwords, { ...body, role: 'customer' })
    const token = await openSession(database, user, toOrigin({ address, userAgent }))
    await setLanguage(database, user.id, language)
    return { token, nickname: user.nickname, userId: user.id, device: deviceToken(vault, user) }
  })

  serve(accountsApi.logIn, async ({ body, address, userAgent, language }) => {
    await loginsPerAddress.count(address)
    const answer = await logIn(means, body, { address, userAgent }).catch(async (error) => {
      // The password was not checked: the store was too busy.
      if (error instanceof Failure && error.status === 503) await loginsPerAddress.releaseTry(address)
      throw error
    })
    await setLanguage(database, answer.userId, language)
    return answer
  })

  serve(accountsApi.logOut, async ({ user }) => {
    await database.transaction((tx) => deleteSession(tx, user.tokenHash))
  })

  serve(accountsApi.profile, ({ user }) => readProfile(database, user))

  /** Counts tries of the own password, and forgets them once one was right. */
  async function countPassword(userId: number, check: () => Promise<void>): Promise<void> {
    const key = String(userId)
    await changes.count(key)
    await check().catch(async (error) => {
      if (error instanceof Failure && error.status === 503) await changes.releaseTry(key)
      throw error
    })
    await changes.forget(key)
  }

  serve(accountsApi.changePassword, async ({ user, body }) => {
    await countPassword(user.id, () => changePassword(database, passwords, user, body))
    security.note('password_changed', { user: user.id })
  })

  serve(accountsApi.changeContact, ({ user, body }) =>
    countPassword(user.id, () => changeContact(database, passwords, user, body)),
  )

  serve(accountsApi.sessions, async ({ user }) => ({ data: await ownSessions(database, user) }))

  serve(accountsApi.endSession, ({ user, params }) => database.transaction((tx) => endOwnSession(tx, user, params.id)))

  serve(accountsApi.endOtherSessions, async ({ user }) => {
    await database.transaction((tx) => deleteOtherSessions(tx, user.id, user.tokenHash))
  })
}

export function accountsAdmin({ serve, database, config }: Context): void {
  serve(usersApi.list, async ({ query }) => {
    const timeZone = await readTimeZone(database, config)
    return listUsers(database, { ...query, sort: query.sort ?? 'created_at', timeZone })
  })

  serve(usersApi.one, async ({ params }) => ({ data: await readUser(database, params.id) }))

  serve(usersApi.setRole, async ({ user, params, body }) => ({
    data: await database.transaction(async (tx) =>
      giveRole(tx, user, params.id, { roleId: body.role === 'admin' ? await readOwnerRoleId(tx) : null }),
    ),
  }))

  serve(usersApi.setBlocked, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => blockUser(tx, user, params.id, body.blocked)),
  }))
}

export function staffAdmin({ serve, database }: Context): void {
  serve(staffApi.list, ({ query }) => listStaff(database, { ...query, sort: query.sort ?? 'nickname' }))

  serve(staffApi.add, async ({ user, body }) => ({
    data: await database.transaction(async (tx) => {
      const found = await findUserByNickname(tx, nicknameKey(body.nickname))
      if (!found) throw new Failure('USER_NOT_FOUND')
      await giveRole(tx, user, found.id, { roleId: body.role_id })
      return readMember(tx, found.id)
    }),
  }))

  serve(staffApi.setRole, async ({ user, params, body: { role_id: roleId, seen } }) => {
    const { id, staff_role } = await database.transaction((tx) => giveRole(tx, user, params.id, { roleId, seen }))
    return { data: { id, staff_role } }
  })

  serve(staffApi.sessions, async ({ user, params }) => {
    await requireStaff(database, params.id)
    const sessions = await ownSessions(database, { id: params.id, tokenHash: user.tokenHash })
    return { data: sessions.map(({ is_current: _, ...session }) => session) }
  })

  serve(staffApi.endSessions, ({ user, params, body }) =>
    database.transaction((tx) => endColleaguesSessions(tx, user, params.id, body.session_id)),
  )

  serve(staffApi.resetSecondFactor, ({ user, params }) =>
    database.transaction((tx) => resetColleaguesFactor(tx, user, params.id)),
  )

  serve(staffApi.roles, async () => ({ data: await listRoles(database) }))

  serve(staffApi.addRole, async ({ user, body }) => ({
    data: await database.transaction((tx) => createRole(tx, user, body)),
  }))

  serve(staffApi.changeRole, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeStaffRole(tx, user, params.id, body)),
  }))

  serve(staffApi.roleVersions, async ({ params }) => ({
    data: await listVersions(database, `staff-role:${params.id}`),
  }))

  serve(staffApi.removedRoles, async () => ({ data: await listRemovedRoles(database) }))

  serve(staffApi.restoreRole, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => restoreRole(tx, user, params.id, body)),
  }))

  serve(staffApi.removeRole, ({ user, params }) => database.transaction((tx) => removeRole(tx, user, params.id)))
}

export function secondFactorAdmin(context: Context, passwords: Passwords): void {
  const { serve, database, security } = context
  const tries = context.rateLimiter('secondFactorTriesPerUser')

  /** Counts an attempt; a correct one resets the count. */
  const counted = async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
    await tries.count(String(userId))
    const result = await work()
    await tries.forget(String(userId))
    return result
  }

  serve(secondFactorApi.status, async ({ user }) => {
    const status = await readSecondFactorStatus(database, user.id)
    return {
      data: {
        enrolled_at: status?.enrolled_at.toISOString() ?? null,
        recovery_codes_left: status?.recovery_codes_left ?? 0,
      },
    }
  })

  serve(secondFactorApi.enrol, async ({ user, body }) => ({
    data: await counted(user.id, () => offerSecret(context, passwords, user, body.password)),
  }))

  serve(secondFactorApi.confirm, async ({ user, body }) => ({
    data: { recovery_codes: await counted(user.id, () => enrolSecondFactor(context, user, body.otp)) },
  }))

  serve(secondFactorApi.confirmAgain, async ({ user, body, address }) => {
    const until = await counted(user.id, () => confirmAgain(context, user, body.otp))
    security.note('second_factor_confirmed', { user: user.id, network: toNetwork(address) })
    return { data: { confirmed_until: until.toISOString() } }
  })

  serve(secondFactorApi.renewRecoveryCodes, async ({ user, body }) => ({
    data: { recovery_codes: await counted(user.id, () => renewRecoveryCodes(context, user.id, body.otp)) },
  }))

  serve(secondFactorApi.disable, ({ user, body }) =>
    counted(user.id, () => giveUpSecondFactor(context, user.id, body.otp)),
  )
}

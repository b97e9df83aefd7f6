import { accountsApi } from '@olmos/contract/accounts'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Context } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import { logIn } from './log-in.ts'
import { createLoginGate } from './login-gate.ts'
import { changeContact, changePassword, type Passwords } from './passwords.ts'
import { readProfile } from './profile.ts'
import { register } from './register.ts'
import { codesLimit } from './second-factor.ts'
import {
  deleteOtherSessions,
  deleteSession,
  deviceToken,
  endOwnSession,
  openSession,
  ownSessions,
  toOrigin,
} from './sessions.ts'

export function accountsRoutes(context: Context, passwords: Passwords): void {
  const { serve, database, vault, config, security } = context
  const limited = (name: keyof typeof SERVER_LIMITS.rates) =>
    createRateLimiter(database, { name, ...SERVER_LIMITS.rates[name] }, config.rateLimits)
  const registrations = limited('registrationsPerAddress')
  const loginsPerAddress = limited('loginsPerAddress')
  const changes = limited('passwordChangesPerUser')
  const means = { ...context, passwords, gate: createLoginGate(context), tries: codesLimit(context) }

  serve(accountsApi.register, async ({ body, address, userAgent }) => {
    await registrations.count(address)
    const user = await register(database, passwords, { ...body, role: 'customer' })
    const token = await openSession(database, user, toOrigin({ address, userAgent }))
    return { token, nickname: user.nickname, userId: user.id, device: deviceToken(vault, user) }
  })

  serve(accountsApi.logIn, async ({ body, address, userAgent }) => {
    await loginsPerAddress.count(address)
    return logIn(means, body, { address, userAgent }).catch(async (error) => {
      // The password was not checked: the store was too busy.
      if (error instanceof Failure && error.status === 503) await loginsPerAddress.releaseTry(address)
      throw error
    })
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

import { accountsApi } from '@olmos/contract/accounts'
import { LIMITS } from '@olmos/contract/limits'
import type { Context } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { nicknameKey } from './accounts.rules.ts'
import { deleteSession } from './accounts.store.ts'
import { changePassword } from './change-password.ts'
import { checkCredentials, openSessionWith } from './log-in.ts'
import type { Passwords } from './password.ts'
import { readProfile } from './read-profile.ts'
import { register } from './register.ts'
import { openSession } from './sessions.ts'
import { limitOfCodes } from './take-second-factor.ts'

export function accountsRoutes(context: Context, passwords: Passwords): void {
  const { serve, database, config } = context
  const limited = (name: keyof typeof LIMITS.rates) =>
    createRateLimiter(database, { name, ...LIMITS.rates[name] }, config.rateLimits)
  const registrations = limited('registrationsOfAddress')
  const loginsOfAddress = limited('loginsOfAddress')
  const loginsOfNickname = limited('loginsOfNickname')
  const triesOfCodes = limitOfCodes(context)

  serve(accountsApi.register, async ({ body, address }) => {
    await registrations.count(address)
    const user = await register(database, passwords, { ...body, role: 'customer' })
    return { token: await openSession(database, user.id), nickname: user.nickname, userId: user.id }
  })

  serve(accountsApi.logIn, async ({ body, address }) => {
    const key = nicknameKey(body.nickname)
    await loginsOfAddress.count(address)
    await loginsOfNickname.count(key)
    const user = await checkCredentials(database, passwords, body)
    const token = await openSessionWith(context, triesOfCodes, user.id, body.otp)
    await loginsOfNickname.forget(key)
    return { token, nickname: user.nickname, userId: user.id }
  })

  serve(accountsApi.logOut, async ({ user }) => {
    await deleteSession(database, user.tokenHash)
  })

  serve(accountsApi.profile, ({ user }) => readProfile(database, user.id))

  serve(accountsApi.changePassword, ({ user, body }) => changePassword(database, passwords, user, body))
}

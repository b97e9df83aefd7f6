import { secondFactorApi } from '@olmos/contract/second-factor'
import { usersApi } from '@olmos/contract/users'
import type { Context } from '../../platform/context.ts'
import { toNetwork } from '../../platform/http/rate-limit.ts'
import { blockUser, changeRole, listUsers, readUser, resetPassword } from './change-user.ts'
import { type Passwords, requireUncommonPassword } from './passwords.ts'
import {
  codesLimit,
  confirmAgain,
  enrolSecondFactor,
  giveUpSecondFactor,
  offerSecret,
  readSecondFactorStatus,
  renewRecoveryCodes,
} from './second-factor.ts'

export function accountsAdmin({ serve, database }: Context, passwords: Passwords): void {
  serve(usersApi.list, ({ query }) => listUsers(database, { ...query, sort: query.sort ?? 'created_at' }))

  serve(usersApi.one, async ({ params }) => ({ data: await readUser(database, params.id) }))

  serve(usersApi.setPassword, async ({ user, params, body }) => {
    requireUncommonPassword(body.password)
    const passwordHash = await passwords.hash(body.password)
    return { data: await database.transaction((tx) => resetPassword(tx, user, params.id, passwordHash)) }
  })

  serve(usersApi.setRole, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => changeRole(tx, user, params.id, body.role)),
  }))

  serve(usersApi.setBlocked, async ({ user, params, body }) => ({
    data: await database.transaction((tx) => blockUser(tx, user, params.id, body.blocked)),
  }))
}

export function secondFactorAdmin(context: Context, passwords: Passwords): void {
  const { serve, database, security } = context
  const tries = codesLimit(context)

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

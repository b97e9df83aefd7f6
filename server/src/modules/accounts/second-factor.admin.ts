import { secondFactorApi } from '@olmos/contract/second-factor'
import type { Context } from '../../platform/context.ts'
import { networkOf } from '../../platform/network.ts'
import {
  confirmAgain,
  enrolSecondFactor,
  giveUpSecondFactor,
  offerSecret,
  renewRecoveryCodes,
} from './enrol-second-factor.ts'
import type { Passwords } from './password.ts'
import { readStatus } from './second-factor.store.ts'
import { limitOfCodes } from './take-second-factor.ts'

export function secondFactorAdmin(context: Context, passwords: Passwords): void {
  const { serve, database, security } = context
  const tries = limitOfCodes(context)

  /** Counts a try; one that was right begins the count anew. */
  const counted = async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
    await tries.count(String(userId))
    const result = await work()
    await tries.forget(String(userId))
    return result
  }

  serve(secondFactorApi.status, async ({ user }) => {
    const status = await readStatus(database, user.id)
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
    security.note('second_factor_confirmed', { user: user.id, network: networkOf(address) })
    return { data: { confirmed_until: until.toISOString() } }
  })

  serve(secondFactorApi.renewRecoveryCodes, async ({ user, body }) => ({
    data: { recovery_codes: await counted(user.id, () => renewRecoveryCodes(context, user.id, body.otp)) },
  }))

  serve(secondFactorApi.disable, ({ user, body }) =>
    counted(user.id, () => giveUpSecondFactor(context, user.id, body.otp)),
  )
}

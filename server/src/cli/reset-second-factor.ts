import { Failure } from '@olmos/contract/failure'
import { resetSecondFactor } from '../modules/accounts/second-factor.ts'
import type { Command } from './command.ts'

/** Lets in an admin who has lost both the app and the recovery codes. */
export const resetSecondFactorCommand: Command = {
  summary: 'takes away the second factor that an admin has lost, and ends their sessions',
  argument: 'NICKNAME',
  async run({ database, print }, nickname) {
    try {
      await database.transaction((tx) => resetSecondFactor(tx, nickname))
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error
      print(error.code === 'USER_NOT_FOUND' ? `There is no ${nickname}.` : `${nickname} has no second factor.`)
      return 1
    }
    print(`${nickname} logs in with the password alone, and should enrol a second factor at once.`)
    return 0
  },
}

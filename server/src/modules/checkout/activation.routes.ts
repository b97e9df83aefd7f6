import { LIMITS } from '@olmos/contract/limits'
import { topupsApi } from '@olmos/contract/topups'
import type { Context } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { lookAtCode } from '../codes/spend-code.ts'
import type { PlayerCheck } from '../topups/player-check.ts'
import { activateCode } from './activate-code.ts'

export function activationRoutes({ serve, database, vault, config }: Context, players: PlayerCheck): void {
  const limited = (name: 'activationsOfUser' | 'activationsOfAddress') =>
    createRateLimiter(database, { name, ...LIMITS.rates[name] }, config.rateLimits)
  const ofUser = limited('activationsOfUser')
  const ofAddress = limited('activationsOfAddress')

  serve.afterCheck(topupsApi.activateCode, {
    // A guess costs no supplier's patience: the code is looked at before the player.
    check: async ({ user, body, address }) => {
      await ofAddress.count(address)
      await ofUser.count(String(user.id))
      await lookAtCode(database, vault, body.code, user.id)
      // Whoever has a code does not guess, and may have many. Only this try is given back: the wrong ones before it stay
      // counted, or one unspent code would pay for any number of guesses.
      await ofUser.giveBack(String(user.id))
      return players.find('freefire', body.playerID, address)
    },
    work: async ({ user, body: { playerID: playerId, code } }, tx, { name: playerName }) => {
      const order = await activateCode(tx, vault, { userId: user.id, code, playerId, playerName })
      return { success: true as const, order_id: order }
    },
  })
}

import type { WantedTopup } from '@olmos/contract/topup-data'
import type { PlayerCheck } from './player-check.ts'

/**
 * The name of the player a top-up is for; none for Steam, where nobody tells it. Call it outside any transaction. Refuses
 * with PLAYER_NOT_FOUND, STEAM_LOGIN_REFUSED, SUPPLIER_UNAVAILABLE or RATE_LIMITED.
 */
export async function findPlayer(players: PlayerCheck, wanted: WantedTopup, callerIp: string): Promise<string | null> {
  if (wanted.service === 'steam') {
    await players.requireRefillable(wanted.player_id, callerIp)
    return null
  }
  const { name } = await players.find(wanted.service, wanted.player_id, callerIp)
  return name
}

import type { WantedTopup } from '@olmos/contract/topup-data'
import type { PlayerCheck } from './player-check.ts'

/**
 * The name of the player a top-up is for; none for Steam, where nobody can be asked. Call it outside any transaction.
 * Refuses with PLAYER_NOT_FOUND, SUPPLIER_UNAVAILABLE or RATE_LIMITED.
 */
export async function findPlayer(players: PlayerCheck, wanted: WantedTopup, callerIp: string): Promise<string | null> {
  if (wanted.service === 'steam') return null
  const { name } = await players.find(wanted.service, wanted.player_id, callerIp)
  return name
}

import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import type { TopupService } from '@olmos/contract/topup-data'
import type { Resources } from '../../platform/context.ts'
import { done, type Outcome, unknown } from '../../platform/outcome.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import type { Player } from './supplier.ts'
import type { Suppliers } from './suppliers.ts'

export interface PlayerCheck {
  /**
   * The player with this id. Refuses with PLAYER_NOT_FOUND, with SUPPLIER_UNAVAILABLE when nobody can tell at the moment,
   * and with RATE_LIMITED when the address asks too much. What is remembered costs the address nothing.
   */
  find(service: Exclude<TopupService, 'steam'>, playerId: string, callerIp: string): Promise<Player>
}

type Known = { player: Player | undefined; until: number }

/** Looks for players at the suppliers, in their order, and remembers for a while what they said. */
export function createPlayerCheck(
  { database, config, clock, log }: Pick<Resources, 'config' | 'database' | 'clock' | 'log'>,
  suppliers: Suppliers,
): PlayerCheck {
  const limit = createRateLimiter(
    database,
    { name: 'playerChecksOfAddress', ...LIMITS.rates.playerChecksOfAddress },
    config.rateLimits,
  )
  // Each node remembers for itself: what is forgotten is asked for again, and that is all.
  const remembered = new Map<string, Known>()

  const remember = (key: string, player: Player | undefined) => {
    const seconds = player ? LIMITS.playerKnownSeconds : LIMITS.playerUnknownSeconds
    remembered.delete(key)
    remembered.set(key, { player, until: clock.now().getTime() + seconds * 1000 })
    const [oldest] = remembered.keys()
    if (remembered.size > LIMITS.playersRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  const ask = async (service: TopupService, playerId: string): Promise<Outcome<Player>> => {
    const sellers = suppliers.configured.filter((supplier) => supplier.sells.includes(service))
    // A shop that does everything by hand looks when it delivers.
    if (sellers.length > 0 && !sellers.some((supplier) => supplier.checkPlayer)) return done({ name: playerId })
    let answer: Outcome<Player> = unknown('nobody_to_ask')
    for (const supplier of sellers) {
      if (!supplier.checkPlayer) continue
      answer = await supplier.checkPlayer(service, playerId)
      if (answer.kind !== 'unknown') return answer
      log.warn({ supplier: supplier.name, service, why: answer.why }, 'player not checked')
    }
    return answer
  }

  return {
    async find(service, playerId, callerIp) {
      const key = `${service} ${playerId}`
      const known = remembered.get(key)
      if (known && known.until > clock.now().getTime()) return foundOr404(known.player)
      await limit.count(callerIp)
      const answer = await ask(service, playerId)
      if (answer.kind === 'unknown') throw new Failure('SUPPLIER_UNAVAILABLE', { reason: answer.why })
      const player = answer.kind === 'done' ? answer.value : undefined
      remember(key, player)
      return foundOr404(player)
    },
  }
}

function foundOr404(player: Player | undefined): Player {
  if (!player) throw new Failure('PLAYER_NOT_FOUND')
  return player
}

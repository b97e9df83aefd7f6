import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import { LIMITS } from '@olmos/contract/limits'
import type { TopupService, WantedTopup } from '@olmos/contract/topup-data'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import { createRateLimiter } from '../../platform/http/rate-limit.ts'
import { done, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import type { Player, Supplier } from './supplier.ts'
import type { Suppliers } from './suppliers.ts'

export interface PoolOffer {
  /** The supplier's name for it. */
  item_id: string | null
  /** Codes of its pool that nobody has spent. */
  in_pool: number
}

/**
 * Computes how many units of a PUBG package can be ordered: the codes of its pool, if a supplier spends them, and as
 * many as one order may have, if a supplier delivers it without codes.
 */
export function findOrderable(
  { item_id, in_pool }: PoolOffer,
  suppliers: readonly Pick<Supplier, 'sells' | 'redeemsCodes' | 'needsItem'>[],
): number {
  const sellers = suppliers.filter(({ sells }) => sells.includes('pubg'))
  const ofPool = sellers.some(({ redeemsCodes }) => redeemsCodes) ? in_pool : 0
  const isDelivered = sellers.some(({ needsItem }) => !needsItem || item_id !== null)
  return Math.min(ofPool + (isDelivered ? LIMITS.topupUnitsMax : 0), LIMITS.stockShownMax)
}

export interface PlayerCheck {
  /**
   * Finds the player with this id. Refuses with PLAYER_NOT_FOUND, with SUPPLIER_UNAVAILABLE when nobody can tell at the
   * moment, and with RATE_LIMITED when the address asks too much. Answers from memory do not count.
   */
  find(service: Exclude<TopupService, 'steam'>, playerId: string, callerIp: string): Promise<Player>
  /**
   * Refuses a Steam login that no supplier can top up, with STEAM_LOGIN_REFUSED.
   *
   * Only a definite rejection by a supplier refuses. When nobody can tell within `SERVER_LIMITS.loginCheckMs`, because
   * the supplier is down, slow or asked too often, the login passes unchecked: the check saves a customer from a typing
   * error, and a supplier that can't answer it must not close the shop. A top-up for a wrong login is then rejected at
   * delivery and refunded.
   */
  requireRefillable(login: string, callerIp: string): Promise<void>
}

type Known = { player: Player | undefined; until: number }

/** Looks up players and logins at the suppliers, in their order, and remembers the answers for a while. */
export function createPlayerCheck(
  { database, config, clock, log }: Pick<Resources, 'config' | 'database' | 'clock' | 'log'>,
  suppliers: Suppliers,
  { loginCheckMs = SERVER_LIMITS.loginCheckMs }: { loginCheckMs?: number } = {},
): PlayerCheck {
  const limit = createRateLimiter(
    database,
    { name: 'playerChecksPerAddress', ...SERVER_LIMITS.rates.playerChecksPerAddress },
    config.rateLimits,
  )
  // Each node has its own memory: what is forgotten is only asked again.
  const remembered = new Map<string, Known>()

  const remember = (key: string, player: Player | undefined) => {
    const seconds = player ? SERVER_LIMITS.playerKnownSeconds : SERVER_LIMITS.playerUnknownSeconds
    remembered.delete(key)
    remembered.set(key, { player, until: clock.now().getTime() + seconds * 1000 })
    const [oldest] = remembered.keys()
    if (remembered.size > SERVER_LIMITS.playersRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  const ask = async (service: TopupService, playerId: string): Promise<Outcome<Player>> => {
    const sellers = suppliers.configured.filter((supplier) => supplier.sells.includes(service))
    // A shop that delivers everything by hand checks the player then.
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

  const recall = (key: string): Known | undefined => {
    const known = remembered.get(key)
    return known && known.until > clock.now().getTime() ? known : undefined
  }

  /** Whether somebody can top the login up; undefined when nobody can tell. */
  const askAboutLogin = async (login: string): Promise<boolean | undefined> => {
    let canRefill: boolean | undefined
    for (const supplier of suppliers.configured) {
      if (!supplier.sells.includes('steam') || !supplier.checkSteamLogin) continue
      const answer = await supplier.checkSteamLogin(login)
      if (answer.kind === 'done' && answer.value.canRefill) return true
      if (answer.kind === 'done') canRefill = false
      else log.warn({ supplier: supplier.name, answer }, 'Steam login not checked')
    }
    return canRefill
  }

  /** An answer that comes too late for the waiting buyer is remembered for the next. */
  const checkLogin = async (key: string, login: string): Promise<boolean | undefined> => {
    try {
      const canRefill = await askAboutLogin(login)
      if (canRefill !== undefined) remember(key, canRefill ? { name: login } : undefined)
      return canRefill
    } catch (error) {
      log.error({ err: error }, 'a check of a Steam login broke')
      return undefined
    }
  }

  /** Counts a question of the address; false once there are too many. */
  const mayAsk = async (callerIp: string): Promise<boolean> => {
    try {
      await limit.count(callerIp)
      return true
    } catch (error) {
      if (error instanceof Failure && error.code === 'RATE_LIMITED') return false
      throw error
    }
  }

  return {
    async requireRefillable(login, callerIp) {
      const key = `steam ${login.toLowerCase()}`
      const known = recall(key)
      if (known?.player) return
      if (!known && !(await mayAsk(callerIp))) return
      const canRefill = known ? false : await within(loginCheckMs, checkLogin(key, login))
      if (canRefill === false) throw new Failure('STEAM_LOGIN_REFUSED', { login })
    },

    async find(service, playerId, callerIp) {
      const key = `${service} ${playerId}`
      const known = recall(key)
      if (known) return requireFoundPlayer(known.player)
      await limit.count(callerIp)
      const answer = await ask(service, playerId)
      if (answer.kind === 'unknown') throw new Failure('SUPPLIER_UNAVAILABLE', { reason: answer.why })
      const player = answer.kind === 'done' ? answer.value : undefined
      remember(key, player)
      return requireFoundPlayer(player)
    },
  }
}

/** Undefined when it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const isOver = new AbortController()
  const patience = sleep(ms, undefined, { signal: isOver.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, patience])
  } finally {
    isOver.abort()
  }
}

function requireFoundPlayer(player: Player | undefined): Player {
  if (!player) throw new Failure('PLAYER_NOT_FOUND')
  return player
}

/**
 * Finds the name of the player a top-up is for; null for Steam, which does not reveal it. Call it outside any
 * transaction. Refuses with PLAYER_NOT_FOUND, STEAM_LOGIN_REFUSED, SUPPLIER_UNAVAILABLE or RATE_LIMITED.
 */
export async function findPlayer(players: PlayerCheck, wanted: WantedTopup, callerIp: string): Promise<string | null> {
  if (wanted.service === 'steam') {
    await players.requireRefillable(wanted.player_id, callerIp)
    return null
  }
  const { name } = await players.find(wanted.service, wanted.player_id, callerIp)
  return name
}

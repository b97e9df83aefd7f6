import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@olmos/contract/failure'
import { SERVER_LIMITS } from '../../limits.ts'
import type { Resources } from '../../platform/context.ts'
import { done, type Outcome, unknown } from '../../platform/vendor/vendor.ts'
import type { Player, Supplier } from './supplier.ts'
import type { Suppliers } from './suppliers.ts'
import {
  type ProductService,
  type ReadAccount,
  readProductServices,
  type TopupProduct,
  toVendorAccount,
} from './topups.ts'

/** What a player is looked for by. */
type CheckedProduct = Pick<TopupProduct, 'slug' | 'pricing' | 'player_check'>

export interface PlayerCheck {
  /**
   * Finds the player of an account, as the product wants it, and returns the name; null where nobody tells names.
   *
   * `required`: refuses with PLAYER_NOT_FOUND, with SUPPLIER_UNAVAILABLE when nobody can tell at the moment, and with
   * RATE_LIMITED when the address asks too much.
   * `offered`: only a definite rejection by a supplier refuses, with STEAM_LOGIN_REFUSED for a wallet and PLAYER_NOT_FOUND
   * for a game. When nobody can tell within `SERVER_LIMITS.loginCheckMs`, because the supplier is down, slow or asked too
   * often, the account passes unchecked: the check saves a customer from a typing error, and a supplier that can't answer it
   * must not close the shop. A top-up for a wrong account is then rejected at delivery and refunded.
   * `none`: nobody is asked.
   *
   * Answers from memory do not count against the limit. Call it outside any transaction.
   */
  check(product: CheckedProduct, account: ReadAccount, callerIp: string): Promise<string | null>
}

/** A supplier that looks for players of a game, by its own names. */
interface Checker {
  ask(account: ReadAccount): Promise<Outcome<Player>>
}

type Known = { player: Player | undefined; until: number }

/** Looks up players and logins at the suppliers, in their order, and remembers the answers for a while. */
export function createPlayerCheck(
  { database, clock, log, rateLimiter }: Pick<Resources, 'database' | 'clock' | 'log' | 'rateLimiter'>,
  suppliers: Suppliers,
  { loginCheckMs = SERVER_LIMITS.loginCheckMs }: { loginCheckMs?: number } = {},
): PlayerCheck {
  const limit = rateLimiter('playerChecksPerAddress')
  // Each node has its own memory: what is forgotten is only asked again.
  const remembered = new Map<string, Known>()

  const remember = (key: string, player: Player | undefined) => {
    const seconds = player ? SERVER_LIMITS.playerKnownSeconds : SERVER_LIMITS.playerUnknownSeconds
    remembered.delete(key)
    remembered.set(key, { player, until: clock.now().getTime() + seconds * 1000 })
    const [oldest] = remembered.keys()
    if (remembered.size > SERVER_LIMITS.playersRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  /** Who can be asked about a player, and by which names: those who have the game, if there are any. */
  const readCheckers = async ({ slug, pricing }: CheckedProduct) => {
    const wanted = pricing === 'amount' ? 'amount' : 'topup'
    const sellers = suppliers.configured.filter(({ sells }) => sells.includes(wanted))
    const services = await readProductServices(database, slug)
    const linked = sellers.flatMap((supplier) => {
      const service = services.find((service) => service.supplier === supplier.name)
      return service ? [{ supplier, service }] : []
    })
    const unlinked: ProductService = { supplier: '', reference: slug, check_reference: slug, field_names: {} }
    const isLinked = linked.some(({ supplier }) => supplier.checkPlayer)
    const asked = isLinked ? linked : sellers.map((supplier) => ({ supplier, service: unlinked }))
    const checkers = asked.flatMap(({ supplier, service }) =>
      supplier.checkPlayer && service.check_reference !== null
        ? [{ ask: (account: ReadAccount) => askChecker(supplier, service, account) }]
        : [],
    )
    // Where nobody looks for players of the game, whoever delivers it finds out then.
    return { isByHand: sellers.length > 0 && checkers.length === 0, checkers }
  }

  const askChecker = async (supplier: Supplier, service: ProductService, account: ReadAccount) => {
    const { check_reference: reference, field_names: names } = service
    const answer = await supplier.checkPlayer?.(reference ?? '', toVendorAccount(account.values, names))
    if (answer?.kind === 'unknown')
      log.warn({ supplier: supplier.name, reference, why: answer.why }, 'player not checked')
    return answer ?? unknown('no_such_check')
  }

  const ask = async (product: CheckedProduct, account: ReadAccount): Promise<Outcome<Player>> => {
    const { isByHand, checkers } = await readCheckers(product)
    if (isByHand) return done({ name: account.text })
    let answer: Outcome<Player> = unknown('nobody_to_ask')
    for (const checker of checkers) {
      answer = await checker.ask(account)
      if (answer.kind !== 'unknown') return answer
    }
    return answer
  }

  /** The player whom somebody can top up; null when those who can tell say that there is none, undefined when nobody can. */
  const askAll = async (checkers: readonly Checker[], account: ReadAccount): Promise<Player | null | undefined> => {
    let player: Player | null | undefined
    for (const checker of checkers) {
      const answer = await checker.ask(account)
      if (answer.kind === 'done') return answer.value
      if (answer.kind === 'rejected') player = null
    }
    return player
  }

  const recall = (key: string): Known | undefined => {
    const known = remembered.get(key)
    return known && known.until > clock.now().getTime() ? known : undefined
  }

  /** An answer that comes too late for the waiting buyer is remembered for the next. */
  const askAllAndRemember = async (key: string, checkers: readonly Checker[], account: ReadAccount) => {
    try {
      const player = await askAll(checkers, account)
      if (player !== undefined) remember(key, player ?? undefined)
      return player
    } catch (error) {
      log.error({ err: error }, 'a player check broke')
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

  const requirePlayer = async (product: CheckedProduct, account: ReadAccount, callerIp: string) => {
    const key = toKey(product, account)
    const known = recall(key)
    if (known) return requireFoundPlayer(known.player)
    await limit.count(callerIp)
    const answer = await ask(product, account)
    if (answer.kind === 'unknown') throw new Failure('SUPPLIER_UNAVAILABLE', { reason: answer.why })
    const player = answer.kind === 'done' ? answer.value : undefined
    remember(key, player)
    return requireFoundPlayer(player)
  }

  const lookForPlayer = async (product: CheckedProduct, account: ReadAccount, callerIp: string) => {
    const key = toKey(product, account)
    const known = recall(key)
    if (known?.player) return known.player
    if (!known && !(await mayAsk(callerIp))) return undefined
    const { checkers } = known ? { checkers: [] } : await readCheckers(product)
    const player = known ? null : await within(loginCheckMs, askAllAndRemember(key, checkers, account))
    if (player !== null) return player
    if (product.pricing === 'amount') throw new Failure('STEAM_LOGIN_REFUSED', { login: account.text })
    throw new Failure('PLAYER_NOT_FOUND')
  }

  return {
    async check(product, account, callerIp) {
      if (product.player_check === 'none') return null
      const find = product.player_check === 'required' ? requirePlayer : lookForPlayer
      const player = await find(product, account, callerIp)
      // Nobody knows the name behind the login of a wallet.
      return product.pricing === 'amount' ? null : (player?.name ?? null)
    },
  }
}

const toKey = ({ slug }: CheckedProduct, { text }: ReadAccount): string => `${slug} ${text.toLowerCase()}`

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

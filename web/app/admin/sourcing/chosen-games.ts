import type { SentBody } from '@olmos/contract/endpoint'
import * as LIMITS from '@olmos/contract/limits'
import type { SupplierService } from '@olmos/contract/supplier-lists'
import type { takeOverApi } from '@olmos/contract/take-over'

export type TakenGames = SentBody<typeof takeOverApi.takeOver>['games']
type TakenGame = TakenGames[number]

/** A game that is to be taken over. */
export interface ChosenGame extends Omit<TakenGame, 'service' | 'offers'> {
  service: SupplierService
  /** Undefined for everything that can be bought of it. */
  offers?: TakenGame['offers'] | undefined
}

export type ChosenGames = ReadonlyMap<string, ChosenGame>

/** Whether anything of a game can be taken over now. */
export const isChoosable = ({ gone_at, products_count }: SupplierService): boolean =>
  gone_at === null && products_count > 0

export function withGame(chosen: ChosenGames, game: ChosenGame): ChosenGames {
  return new Map(chosen).set(game.service.reference, game)
}

export function withoutGame(chosen: ChosenGames, { reference }: SupplierService): ChosenGames {
  const left = new Map(chosen)
  left.delete(reference)
  return left
}

/** Chooses every game of a page that can be, and leaves those as they are that were chosen before. */
export const withGames = (chosen: ChosenGames, services: readonly SupplierService[]): ChosenGames =>
  services
    .filter((service) => isChoosable(service) && !chosen.has(service.reference))
    .reduce((all, service) => withGame(all, { service }), chosen)

/** Says which product of the shop a game is, and which packages of it some of its packages are; leaves the others as they were. */
export const asSame = (game: ChosenGame, same: Pick<ChosenGame, 'productId' | 'offers'>): ChosenGame => ({
  ...game,
  ...(same.productId !== undefined && { productId: same.productId }),
  offers: game.offers?.map((offer) => same.offers?.find(({ reference }) => reference === offer.reference) ?? offer),
})

/** How many games a call takes over: few enough for the progress to be seen. */
const gamesPerCall = 10

/**
 * Divides games into calls. One with more packages than a call takes of a game comes in several of them: the first makes
 * the product, the next ones add to it.
 */
export function takeOverCalls(games: TakenGames): TakenGames[] {
  const calls: TakenGames[] = []
  for (let part = 0; ; part++) {
    const [from, to] = [part * LIMITS.takenOffersMax, (part + 1) * LIMITS.takenOffersMax]
    const left = games.flatMap((game) => {
      const offers = game.offers.slice(from, to)
      return offers.length > 0 ? [{ ...game, offers }] : []
    })
    if (left.length === 0) return calls
    for (let at = 0; at < left.length; at += gamesPerCall) calls.push(left.slice(at, at + gamesPerCall))
  }
}

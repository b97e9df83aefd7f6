import type { TopupService, topupsApi } from '@olmos/contract/topups'
import { useMutation, useQuery } from '@tanstack/react-query'
import { caller } from '../../api/client.ts'
import { useLanguage } from '../../i18n/use-language.ts'

const freefireOffers = caller<typeof topupsApi.freefireOffers>('GET /freefire/offers')
const pubgPackages = caller<typeof topupsApi.pubgPackages>('GET /pubg/packages')
const checkFreefire = caller<typeof topupsApi.checkFreefirePlayer>('POST /freefire/check-id')
const checkPubg = caller<typeof topupsApi.checkPubgPlayer>('POST /pubg/check-id')

export type FreefireOffer = Awaited<ReturnType<typeof freefireOffers>>['offers'][number]
export type UcPackage = Awaited<ReturnType<typeof pubgPackages>>[number]

/** Offers that can be sold; at first those the page came with. */
export const useFreefireOffers = (initial: FreefireOffer[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: ['topups', 'freefire', useLanguage()],
    queryFn: async () => (await freefireOffers({})).offers,
    select: (offers) => offers.filter((offer) => offer.is_active && offer.price > 0 && offer.price_rub > 0),
  })

/** Packages of UC; at first those the page came with. */
export const useUcPackages = (initial: UcPackage[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: ['topups', 'pubg'],
    queryFn: () => pubgPackages({}),
    select: (packages) => packages.filter((entry) => entry.price_usd > 0 && entry.price_rub > 0),
  })

/** A game whose players are found by their ID. */
export type Game = Exclude<TopupService, 'steam'>

/** The name of the player with an ID, as the game tells it; refused with PLAYER_NOT_FOUND where there is none. */
const nameOfPlayer: Record<Game, (playerID: string) => Promise<string>> = {
  freefire: async (playerID) => (await checkFreefire({ body: { playerID } })).player_name,
  pubg: async (playerID) => (await checkPubg({ body: { playerID } })).data.player_name,
}

export const useFindPlayer = (game: Game) =>
  useMutation({ mutationFn: (playerId: string) => nameOfPlayer[game](playerId), retry: false })

import type { TopupService } from '@olmos/contract/topup-data'
import type { topupsApi } from '@olmos/contract/topups'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { caller } from '../../api/client.ts'
import { type InLanguage, initialIn } from '../../api/initial-data.ts'
import { randomKey } from '../../api/one-purchase.ts'
import { isTransient } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'

const freefireOffers = caller<typeof topupsApi.freefireOffers>('GET /freefire/offers')
const pubgPackages = caller<typeof topupsApi.pubgPackages>('GET /pubg/packages')
const checkFreefire = caller<typeof topupsApi.checkFreefirePlayer>('POST /freefire/check-id')
const checkPubg = caller<typeof topupsApi.checkPubgPlayer>('POST /pubg/check-id')
const activate = caller<typeof topupsApi.activateCode>('POST /freefire/activate-code')

export type FreefireOffer = Awaited<ReturnType<typeof freefireOffers>>['offers'][number]
export type UcOffer = Awaited<ReturnType<typeof pubgPackages>>[number]

/** Offers that can be sold; at first those the page came with. */
export function useFreefireOffers(initial: InLanguage<FreefireOffer[] | undefined>) {
  const language = useLanguage()
  return useQuery({
    ...initialIn(language, initial),
    queryKey: queryKeys.topups.freefire(language),
    queryFn: async () => (await freefireOffers({})).offers,
    placeholderData: keepPreviousData,
    select: (offers) => offers.filter((offer) => offer.is_active && offer.price > 0 && offer.price_rub > 0),
  })
}

/** Packages of UC; at first those the page came with. */
export const useUcOffers = (initial: UcOffer[] | undefined) =>
  useQuery({
    ...(initial && { initialData: initial }),
    queryKey: queryKeys.topups.pubg,
    queryFn: () => pubgPackages({}),
    select: (offers) => offers.filter((entry) => entry.price_usd > 0 && entry.price_rub > 0),
  })

/** A game whose players are found by their ID. */
export type Game = Exclude<TopupService, 'steam'>

/** Looks a player's name up by ID; rejects with PLAYER_NOT_FOUND where there is none. */
const playerName: Record<Game, (playerID: string) => Promise<string>> = {
  freefire: async (playerID) => (await checkFreefire({ body: { playerID } })).player_name,
  pubg: async (playerID) => (await checkPubg({ body: { playerID } })).data.player_name,
}

export const useFindPlayer = (game: Game) =>
  useMutation({ mutationFn: (playerId: string) => playerName[game](playerId), retry: false })

/**
 * Spends a code on a player. After a lost answer the next attempt reuses the key. It stays in memory, unlike the keys of
 * purchases: codes must not be stored in the browser.
 */
export function useActivateCode() {
  const attempt = useRef<{ of: string; key: string }>(undefined)
  return useMutation({
    mutationFn: (body: { playerID: string; code: string }) => {
      const of = `${body.playerID}:${body.code}`
      if (attempt.current?.of !== of) attempt.current = { of, key: randomKey() }
      return activate({ body }, { idempotencyKey: attempt.current.key, timeoutMs: WEB_LIMITS.moneyCallTimeoutMs })
    },
    onSettled: (_answer, error) => {
      if (!error || !isTransient(error)) attempt.current = undefined
    },
  })
}

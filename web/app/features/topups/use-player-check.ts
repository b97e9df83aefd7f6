import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { toastError, toastSuccess, toastWarning } from '../../ui/toast.ts'
import { useKeptAccounts } from './kept-accounts.ts'
import { type Game, useFindPlayer } from './topups.queries.ts'

export interface Player {
  playerId: string
  /** Empty until the player is found. */
  playerName: string
}

/** Finds a player and says how that went; in the words of `failed` where nobody knows better. */
export function usePlayerCheck(game: Game, failed: string) {
  const { t } = useTranslation()
  const { keep } = useKeptAccounts(game)
  const search = useFindPlayer(game)

  const find = (playerId: string, onFound: (player: Player) => void) => {
    if (playerId === '') return toastWarning(t('topups.enterId'))
    search.mutate(playerId, {
      onSuccess: (playerName) => {
        keep({ id: playerId, name: playerName })
        toastSuccess(t('topups.playerFound'))
        onFound({ playerId, playerName })
      },
      onError: (error) => toastError(checkFailure(t, error, failed)),
    })
  }

  return { find, isFinding: search.isPending }
}

function checkFailure(t: TFunction, error: Error, failed: string): string {
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'PLAYER_NOT_FOUND' || code === 'VALIDATION_FAILED') return t('topups.invalidId')
  return ['RATE_LIMITED', 'SUPPLIER_UNAVAILABLE', 'NETWORK_ERROR'].includes(code)
    ? `${failed} ${failureText(t, error)}`
    : failed
}

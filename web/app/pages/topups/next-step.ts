import type { Player } from '../../features/topups/use-player-check.ts'

/** What is still to be done before one can pay, the first of it. */
export function toNextStep(isChosen: boolean, { playerId, playerName }: Player) {
  if (!isChosen) return 'product.choosePackage'
  if (playerId === '') return 'topups.enterId'
  return playerName === '' ? 'topups.pressFind' : undefined
}

import { useTranslation } from 'react-i18next'
import { gameNumber } from './game-number.ts'

/** What one gets: `400 Robux`. Months are words, the currencies of games are names. */
export function GameAmount({ amount, currency }: { amount: number; currency: string }) {
  const { t } = useTranslation()
  const unit = currency === 'months' ? t('units.months', { count: amount }) : currency
  return `${gameNumber(amount)} ${unit}`
}

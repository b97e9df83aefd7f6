import { useTranslation } from 'react-i18next'
import { gameAmountText } from './game-number.ts'

export const GameAmount = ({ amount, currency }: { amount: number; currency: string }) =>
  gameAmountText(useTranslation().t, amount, currency)

import { useTranslation } from '../i18n/use-translation.ts'
import { gameAmountText } from './game-number.ts'

export const GameAmount = ({ amount, currency }: { amount: number; currency: string }) =>
  gameAmountText(useTranslation().t, amount, currency)

import { Text } from '@mantine/core'
import { toMajor, toMinor } from '@olmos/contract/minor-units'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../i18n/use-language.ts'
import { useCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
import { Price } from '../../money/Price.tsx'
import classes from './OfferGrid.module.css'

interface OfferFaceProps {
  name: string
  gameAmount: number
  usd: number
  rub: number
  /** Stays to be seen, but nobody can buy it. */
  isSoldOut?: boolean
}

/** What is on the card of an offer: what one gets, for how much, and what a hundred of it costs. */
export function OfferFace({ name, gameAmount, usd, rub, isSoldOut = false }: OfferFaceProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const perHundred = toMajor(Math.round((toMinor(currency === 'USD' ? usd : rub) * 100) / gameAmount))
  return (
    <>
      <span className={classes.name}>{name}</span>
      <Price usd={usd} rub={rub} size="sm" />
      {isSoldOut ? (
        <Text size="xs" c="var(--olmos-bad)" span>
          {t('product.soldOut')}
        </Text>
      ) : (
        <Text size="xs" c="dimmed" span visibleFrom="xs">
          {t('product.perHundred', { price: formatAmount(perHundred, currency, language) })}
        </Text>
      )}
    </>
  )
}

import { Button, Text } from '@mantine/core'
import type { OfferEntry } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../money/Amount.tsx'
import { useCurrency } from '../../money/currency.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import classes from './PopularOffers.module.css'
import type { OfferChoice } from './use-offer-choice.ts'

/** What most people take, at one press. */
export function PopularOffers({ choice }: { choice: OfferChoice }) {
  const { t } = useTranslation()
  const popular = choice.offers.filter((entry) => entry.is_popular && entry.available_count > 0)
  if (popular.length === 0) return null
  return (
    <fieldset className={classes.popular}>
      <Text component="legend" size="sm" c="dimmed" mb={6}>
        {t('product.popular')}
      </Text>
      <div className={classes.row}>
        {popular.map((entry) => (
          <PopularOffer key={entry.offer_id} entry={entry} choice={choice} />
        ))}
      </div>
    </fieldset>
  )
}

function PopularOffer({ entry, choice }: { entry: OfferEntry; choice: OfferChoice }) {
  const isDollar = useCurrency() === 'USD'
  const isChosen = choice.chosen?.offer_id === entry.offer_id
  return (
    <Button
      variant={isChosen ? 'outline' : 'default'}
      size="compact-md"
      h={40}
      flex="none"
      aria-pressed={isChosen}
      onClick={() => choice.choose(entry)}
    >
      <GameAmount amount={entry.game_amount} currency={entry.game_currency} />
      <Text component="span" size="sm" c="dimmed" ms={8}>
        <Amount value={isDollar ? entry.price_usd : entry.price_rub} currency={isDollar ? 'USD' : 'RUB'} />
      </Text>
    </Button>
  )
}

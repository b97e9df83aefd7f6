import { Radio, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import offerCard from '../../ui/OfferCard.module.css'
import { OfferFace } from './OfferFace.tsx'
import classes from './OfferGrid.module.css'
import { OfferGrid } from './OfferGrid.tsx'
import type { FreefireOffer } from './topups.queries.ts'

interface FreefireOffersProps {
  offers: readonly FreefireOffer[]
  /** `item_id`; empty while none is chosen. */
  chosen: string
  onChoose(itemId: string): void
}

/** Offers of diamonds, one of which is chosen. */
export function FreefireOffers({ offers, chosen, onChoose }: FreefireOffersProps) {
  const { t } = useTranslation()
  return (
    <Radio.Group
      label={<VisuallyHidden>{t('product.choosePackage')}</VisuallyHidden>}
      labelProps={{ pos: 'absolute' }}
      value={chosen}
      onChange={onChoose}
    >
      <OfferGrid
        offers={offers}
        render={(offer) => (
          <Radio.Card
            key={offer.item_id}
            value={offer.item_id}
            radius="md"
            className={`${offerCard.card} ${classes.card}`}
          >
            <OfferFace name={offer.name} gameAmount={offer.game_amount} usd={offer.price} rub={offer.price_rub} />
          </Radio.Card>
        )}
      />
    </Radio.Group>
  )
}

import { Badge, Box, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { gameNumber } from '../../money/game-number.ts'
import offerCard from '../../ui/OfferCard.module.css'
import { OfferFace } from './OfferFace.tsx'
import classes from './OfferGrid.module.css'
import { OfferGrid } from './OfferGrid.tsx'
import type { UcOffer } from './topups.queries.ts'
import type { UcSelection } from './uc-selection.ts'

interface UcOffersProps {
  offers: readonly UcOffer[]
  selection: UcSelection
  onToggle(id: number): void
}

/** Offers of UC, any number of which are chosen. */
export function UcOffers({ offers, selection, onToggle }: UcOffersProps) {
  const { t } = useTranslation()
  return (
    <Box role="group" aria-label={t('product.choosePackage')}>
      <OfferGrid
        offers={offers}
        render={(entry) => (
          <Checkbox.Card
            key={entry.id}
            checked={selection[entry.id] !== undefined}
            radius="md"
            className={`${offerCard.card} ${classes.card}`}
            disabled={entry.available_count === 0}
            onClick={() => onToggle(entry.id)}
          >
            <OfferFace
              name={`${gameNumber(entry.uc_amount)} UC`}
              gameAmount={entry.uc_amount}
              usd={entry.price_usd}
              rub={entry.price_rub}
              isSoldOut={entry.available_count === 0}
            />
            {(selection[entry.id] ?? 0) > 1 && (
              <Badge className={classes.count} variant="filled" size="lg">
                × {selection[entry.id]}
              </Badge>
            )}
          </Checkbox.Card>
        )}
      />
    </Box>
  )
}

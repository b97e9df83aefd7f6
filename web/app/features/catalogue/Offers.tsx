import { useTranslation } from 'react-i18next'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { Message } from '../../ui/Message.tsx'
import { CodeOfferGrid, CodeOfferGridSkeleton } from './CodeOfferGrid.tsx'
import { PopularOffers } from './PopularOffers.tsx'
import type { OfferChoice } from './use-offer-choice.ts'

interface OffersProps {
  choice: OfferChoice
  /** False where nothing can be bought yet. */
  canBuy: boolean
}

/** The offers of the chosen region, one of which is chosen. */
export function Offers({ choice, canBuy }: OffersProps) {
  const { t } = useTranslation()
  const { query, chosen, page, turnTo, choose } = choice
  return (
    <QueryView
      query={query}
      skeleton={<CodeOfferGridSkeleton />}
      failed={<QueryFailed look="section" title={t('product.packagesFailed')} query={query} />}
      empty={<Message level={3} title={t('product.nothingToBuy')} />}
    >
      {(offers) => (
        <>
          {canBuy && <PopularOffers choice={choice} />}
          <CodeOfferGrid
            label={t('product.choosePackage')}
            offers={offers}
            chosen={canBuy ? chosen : undefined}
            page={page}
            onPage={turnTo}
            {...(canBuy && { onChoose: choose })}
          />
        </>
      )}
    </QueryView>
  )
}

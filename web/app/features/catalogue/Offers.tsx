import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Message } from '../../ui/Message.tsx'
import { CodeOfferGrid, CodeOfferGridSkeleton } from './CodeOfferGrid.tsx'
import { PopularOffers } from './PopularOffers.tsx'
import type { OfferChoice } from './use-offer-choice.ts'

interface OffersProps {
  choice: OfferChoice
  /** False where nothing can be bought yet. */
  canBuy: boolean
}

/** The packages of the chosen region, one of which is chosen. */
export function Offers({ choice, canBuy }: OffersProps) {
  const { t } = useTranslation()
  const { query, offers, chosen, page, turnTo, choose } = choice

  if (query.isPending) return <CodeOfferGridSkeleton />
  if (query.isError && offers.length === 0) {
    return (
      <Message level={3} title={t('product.packagesFailed')}>
        <Button onClick={() => query.refetch()} loading={query.isFetching}>
          {t('loading.retry')}
        </Button>
      </Message>
    )
  }
  if (offers.length === 0) return <Message level={3} title={t('product.nothingToBuy')} />
  return (
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
  )
}

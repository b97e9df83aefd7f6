import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { Message } from '../../ui/Message.tsx'
import { OfferGridSkeleton } from './OfferGrid.tsx'
import { useToastOn } from './use-toast-on.ts'

interface LoadedOffersProps<Offer> {
  query: UseQueryResult<Offer[]>
  render(offers: Offer[]): ReactNode
}

/** Offers once they are there; until then, and when they don't come, what stands in their place. */
export function LoadedOffers<Offer>({ query, render }: LoadedOffersProps<Offer>) {
  const { t } = useTranslation()
  useToastOn(query.error, t('topups.offersFailed'))
  return (
    <QueryView
      query={query}
      skeleton={<OfferGridSkeleton />}
      failed={<QueryFailed look="section" title={t('topups.offersFailed')} query={query} />}
      empty={<Message level={3} title={t('product.nothingToBuy')} />}
    >
      {render}
    </QueryView>
  )
}

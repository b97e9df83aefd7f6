import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { Message } from '../../ui/Message.tsx'
import { toastError } from '../../ui/toast.ts'
import { OfferGridSkeleton } from './OfferGrid.tsx'

interface LoadedOffersProps<Offer> {
  query: UseQueryResult<Offer[]>
  render(offers: Offer[]): ReactNode
}

/** Offers once they are there; until then, and when they don't come, what stands in their place. A toast says so each time. */
export function LoadedOffers<Offer>({ query, render }: LoadedOffersProps<Offer>) {
  const { t } = useTranslation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language is no other failure
  useEffect(() => {
    if (query.error) toastError(t('product.packagesFailed'))
  }, [query.error])
  return (
    <QueryView
      query={query}
      skeleton={<OfferGridSkeleton />}
      failed={<QueryFailed look="section" title={t('product.packagesFailed')} query={query} />}
      empty={<Message level={3} title={t('product.nothingToBuy')} />}
    >
      {render}
    </QueryView>
  )
}

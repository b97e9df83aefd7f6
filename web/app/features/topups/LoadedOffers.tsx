import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
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
  if (query.isPending) return <OfferGridSkeleton />
  if (!query.data) {
    return (
      <Message level={3} title={t('topups.offersFailed')}>
        <Button loading={query.isFetching} onClick={() => query.refetch()}>
          {t('loading.retry')}
        </Button>
      </Message>
    )
  }
  if (query.data.length === 0) return <Message level={3} title={t('product.nothingToBuy')} />
  return render(query.data)
}

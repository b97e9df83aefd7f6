import type { TopupPricing } from '@olmos/contract/topup-data'
import type { ComponentType } from 'react'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { OfferGridSkeleton } from '../../features/topups/OfferGrid.tsx'
import { useTopupRules } from '../../features/topups/rules.queries.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { ProductFrame } from '../product/ProductFrame.tsx'
import { AmountTopup } from './AmountTopup.tsx'
import { CombinedTopup } from './CombinedTopup.tsx'
import type { LoadedTopup, PricedTopupProps } from './load-topup.ts'
import { OfferTopup } from './OfferTopup.tsx'

const views: Record<TopupPricing, ComponentType<PricedTopupProps>> = {
  offers: OfferTopup,
  combination: CombinedTopup,
  amount: AmountTopup,
}

/** The page of any top-up: it draws itself from what its product asks for, and how that is priced. */
export function TopupView({ loaded: { product, rules: initial, offers } }: { loaded: LoadedTopup }) {
  const { t } = useTranslation()
  const query = useTopupRules(product.slug, initial)
  const rules = query.data
  if (!rules) {
    return (
      <ProductFrame product={product}>
        <QueryView
          query={query}
          skeleton={<OfferGridSkeleton />}
          failed={<QueryFailed look="section" title={t('product.packagesFailed')} query={query} />}
        >
          {() => null}
        </QueryView>
      </ProductFrame>
    )
  }
  const View = views[rules.pricing]
  // The key resets what is on the page when one top-up's page leads to another's.
  return <View key={product.slug} product={product} rules={rules} offers={offers} />
}

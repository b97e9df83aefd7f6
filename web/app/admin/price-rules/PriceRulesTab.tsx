import { SegmentedControl } from '@mantine/core'
import { useSearchParams } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { OfferPrices } from './OfferPrices.tsx'
import { PendingPrices } from './PendingPrices.tsx'
import { type PriceView, priceViewParam, priceViews } from './price-rules.queries.ts'
import { RuleList } from './RuleList.tsx'

const screens: Readonly<Record<PriceView, () => React.ReactNode>> = {
  rules: RuleList,
  packages: OfferPrices,
  pending: PendingPrices,
}

/** How prices are made: the rules, what every package costs and is sold at, and the prices that wait for a yes. */
export default function PriceRulesTab() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = priceViews.find((known) => known === params.get(priceViewParam)) ?? 'rules'
  const Screen = screens[view]
  return (
    <>
      <SegmentedControl
        mb="md"
        value={view}
        onChange={(next) => setParams({ [priceViewParam]: next })}
        data={priceViews.map((value) => ({ value, label: t(`admin.priceRules.views.${value}`) }))}
      />
      <Screen key={view} />
    </>
  )
}

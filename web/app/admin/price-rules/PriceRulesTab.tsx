import { useTranslation } from '../../i18n/use-translation.ts'
import { toView, useTabAddress } from '../list/use-list-view.ts'
import { ViewSwitch } from '../list/ViewSwitch.tsx'
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
  const [view, show] = toView(useTabAddress(), priceViewParam, priceViews)
  const Screen = screens[view]
  return (
    <>
      <ViewSwitch
        mb="md"
        shown={view}
        onShow={show}
        options={priceViews.map((value) => ({ value, label: t(`admin.priceRules.views.${value}`) }))}
      />
      <Screen key={view} />
    </>
  )
}

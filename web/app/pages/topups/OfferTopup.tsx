import type { TopupOffer } from '@olmos/contract/topups'
import { isPlayerIdOnly } from '../../features/topups/account.ts'
import { useDraft } from '../../features/topups/draft.ts'
import { OneOffer } from '../../features/topups/OfferGrid.tsx'
import { useTopupOffers } from '../../features/topups/topups.queries.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { topupOfferText } from '../../money/game-number.ts'
import { Price } from '../../money/Price.tsx'
import type { PricedTopupProps } from './load-topup.ts'
import { SummaryLine, TopupFrame } from './TopupFrame.tsx'

/** One of a game's offers is bought. */
export function OfferTopup({ product, rules, offers }: PricedTopupProps) {
  const { t } = useTranslation()
  const draft = useDraft(product.slug)
  const [{ offerId }, change] = draft
  const query = useTopupOffers(product.slug, offers)
  const offer = query.data?.find(({ id, available }) => id === offerId && available > 0)
  const toName = (one: TopupOffer) => topupOfferText(t, one, product.game_currency)
  return (
    <TopupFrame
      product={product}
      rules={rules}
      draft={draft}
      title={t('product.choosePackage')}
      lines={<SummaryLine name={t('topups.package')}>{offer ? toName(offer) : t('topups.nothingChosen')}</SummaryLine>}
      total={offer && <Price usd={offer.price_usd} rub={offer.price_rub} size="lg" isStacked />}
      chosen={
        offer && {
          offers: [{ offer_id: offer.id, quantity: 1 }],
          offer_name: toName(offer),
          price_usd: offer.price_usd,
          price_rub: offer.price_rub,
        }
      }
      missingText={t(isPlayerIdOnly(rules.fields) ? 'topups.freefire.chooseOffer' : 'topups.chooseAndFill')}
    >
      <OneOffer query={query} chosen={offerId} toName={toName} onChoose={(id) => change({ offerId: id })} />
    </TopupFrame>
  )
}

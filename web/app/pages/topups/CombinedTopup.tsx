import { Text } from '@mantine/core'
import { isPlayerIdOnly } from '../../features/topups/account.ts'
import { CombinedAmount } from '../../features/topups/CombinedAmount.tsx'
import { selectionFor, sumChosen, toChosen, toggled } from '../../features/topups/combination.ts'
import { useDraft } from '../../features/topups/draft.ts'
import { SeveralOffers } from '../../features/topups/OfferGrid.tsx'
import { specifiedTopups } from '../../features/topups/specified-topups.ts'
import { useTopupOffers } from '../../features/topups/topups.queries.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { useCurrency } from '../../money/currency.ts'
import { gameAmountText, gameUnitOfMany } from '../../money/game-number.ts'
import { Price } from '../../money/Price.tsx'
import { lineTotal } from '../../money/total.ts'
import type { PricedTopupProps } from './load-topup.ts'
import { SummaryLine, TopupFrame } from './TopupFrame.tsx'

/** Offers are combined for an amount, or chosen one by one. */
export function CombinedTopup({ product, rules, offers: initial }: PricedTopupProps) {
  const { t } = useTranslation()
  const currency = useCurrency()
  const { convert } = useConversion()
  const draft = useDraft(product.slug)
  const [{ combinedAmount, selection }, change] = draft
  const query = useTopupOffers(product.slug, initial)
  const offers = query.data ?? []
  const chosen = toChosen(selection, offers)
  const sum = sumChosen(chosen)
  const unit = gameUnitOfMany(t, product.game_currency)
  const withUnit = (amount: number) => gameAmountText(t, amount, product.game_currency)
  return (
    <TopupFrame
      product={product}
      rules={rules}
      draft={draft}
      title={t('topups.pubg.chooseAmount')}
      lines={
        <>
          {chosen.length === 0 && <Text c="dimmed">{t('topups.nothingChosen')}</Text>}
          {chosen.map(({ package: entry, quantity }) => (
            <SummaryLine key={entry.id} name={`${withUnit(entry.game_amount)}${quantity > 1 ? ` × ${quantity}` : ''}`}>
              <Amount {...convert(lineTotal({ ...entry, quantity }, currency), currency)} />
            </SummaryLine>
          ))}
          <SummaryLine name={t('topups.pubg.totalUc', { unit })}>
            <span aria-live="polite">{withUnit(sum.amount)}</span>
          </SummaryLine>
        </>
      }
      total={<Price usd={sum.usd} rub={sum.rub} size="lg" />}
      chosen={
        chosen.length > 0
          ? {
              offers: chosen.map(({ package: { id }, quantity }) => ({ offer_id: id, quantity })),
              offer_name: withUnit(sum.amount),
              price_usd: sum.usd,
              price_rub: sum.rub,
            }
          : undefined
      }
      missingText={t(isPlayerIdOnly(rules.fields) ? 'topups.pubg.chooseAndVerify' : 'topups.chooseAndFill')}
      pay={{ isDisabledUntilFilled: true, isFoundFirst: specifiedTopups[product.slug] !== undefined }}
    >
      <CombinedAmount
        value={combinedAmount}
        currency={product.game_currency}
        presets={rules.presets}
        onChange={(typed) => change({ combinedAmount: typed, selection: selectionFor(typed, offers) })}
      />
      <SeveralOffers
        query={query}
        selection={selection}
        toName={(offer) => withUnit(offer.game_amount)}
        onToggle={(id) => change({ combinedAmount: '', selection: toggled(selection, id) })}
      />
    </TopupFrame>
  )
}

import { Button, Text } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import type { TopupOffer } from '@olmos/contract/topups'
import { Fragment, useMemo } from 'react'
import { isPlayerIdOnly } from '../../features/topups/account.ts'
import styles from '../../features/topups/amounts.module.css'
import { CombinedAmount } from '../../features/topups/CombinedAmount.tsx'
import {
  type CheaperChoice,
  findCheaper,
  keptSelection,
  type Selection,
  selectionFor,
  sumChosen,
  toChosen,
  toggled,
} from '../../features/topups/combination.ts'
import { useDraft } from '../../features/topups/draft.ts'
import { SeveralOffers } from '../../features/topups/OfferGrid.tsx'
import { specifiedTopups } from '../../features/topups/specified-topups.ts'
import { useTopupOffers } from '../../features/topups/topups.queries.ts'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { useCurrency } from '../../money/currency.ts'
import { formatAmount } from '../../money/format.ts'
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
  const [{ combinedAmount, selection: chosenBefore }, change] = draft
  const query = useTopupOffers(product.slug, initial)
  const offers = query.data ?? []
  const selection = keptSelection(combinedAmount, chosenBefore, offers)
  const chosen = toChosen(selection, offers)
  const sum = sumChosen(chosen)
  const cheaper = useCheaper(Number(combinedAmount), selection, query.data, currency)
  const unit = gameUnitOfMany(t, product.game_currency)
  const parts = chosen.map(({ package: { game_amount }, quantity }) =>
    quantity > 1 ? `${gameNumber(game_amount)} × ${quantity}` : gameNumber(game_amount),
  )
  const withUnit = (amount: number) => gameAmountText(t, amount, product.game_currency)
  const isAsAsked = parts.length < 2 && sum.amount === Number(combinedAmount)
  const comesTo =
    combinedAmount === '' || parts.length === 0 || isAsAsked
      ? undefined
      : t('topups.pubg.comesTo', { amount: withUnit(sum.amount), parts: parts.join(' + ') })
  return (
    <TopupFrame
      product={product}
      rules={rules}
      draft={draft}
      title={t('topups.pubg.chooseAmount')}
      hasMoreLines={chosen.length > 1 || chosen.some(({ quantity }) => quantity > 1)}
      lines={
        <>
          {chosen.length === 0 && <Text c="dimmed">{t('topups.nothingChosen')}</Text>}
          {chosen.map(({ package: entry, quantity }) => (
            <Fragment key={entry.id}>
              <SummaryLine name={`${withUnit(entry.game_amount)}${quantity > 1 ? ` × ${quantity}` : ''}`}>
                <Amount {...convert(lineTotal({ ...entry, quantity }, currency), currency)} />
              </SummaryLine>
              {quantity > entry.available && (
                <Text size="sm" c="var(--olmos-wait)">
                  {t('failure.OUT_OF_STOCK', { available_count: entry.available })}
                </Text>
              )}
            </Fragment>
          ))}
          <SummaryLine name={t('topups.pubg.totalUc', { unit })}>
            <span aria-live="polite">{withUnit(sum.amount)}</span>
          </SummaryLine>
        </>
      }
      total={chosen.length > 0 && <Price usd={sum.usd} rub={sum.rub} size="lg" isStacked />}
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
        result={comesTo}
        onChange={(typed) => change({ combinedAmount: typed, selection: selectionFor(typed, offers) })}
      />
      {cheaper && (
        <CheaperAdvice
          choice={cheaper}
          name={withUnit(cheaper.amount)}
          onTake={() => change({ selection: cheaper.selection })}
        />
      )}
      <SeveralOffers
        query={query}
        selection={selection}
        toName={(offer) => withUnit(offer.game_amount)}
        onToggle={(id) => change({ combinedAmount: '', selection: toggled(selection, id) })}
      />
    </TopupFrame>
  )
}

function useCheaper(wanted: number, selection: Selection, offers: TopupOffer[] | undefined, currency: Currency) {
  return useMemo(
    () => (offers ? findCheaper(wanted, toChosen(selection, offers), offers, currency) : undefined),
    [wanted, selection, offers, currency],
  )
}

interface CheaperAdviceProps {
  choice: CheaperChoice
  /** How much it comes to. */
  name: string
  onTake(): void
}

/** Says that other packages give no less for less money, and takes them at one press. */
function CheaperAdvice({ choice, name, onTake }: CheaperAdviceProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const currency = useCurrency()
  const { convert, showPrice } = useConversion()
  const price = showPrice({ price_usd: choice.usd, price_rub: choice.rub })
  const saved = convert(choice.saved, currency)
  return (
    <div className={styles.advice} role="status">
      <Text size="sm">
        {t('topups.pubg.cheaper', {
          amount: name,
          price: formatAmount(price.value, price.currency, language),
          saved: formatAmount(saved.value, saved.currency, language),
        })}
      </Text>
      <Button variant="default" size="compact-md" mih={44} onClick={onTake}>
        {t('topups.pubg.takeCheaper', { amount: name })}
      </Button>
    </div>
  )
}

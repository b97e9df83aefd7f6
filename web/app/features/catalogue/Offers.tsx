import type { OfferEntry } from '@olmos/contract/catalogue'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Message } from '../../ui/Message.tsx'
import { Press } from '../../ui/Press.tsx'
import { CodeOfferGrid, CodeOfferGridSkeleton } from './CodeOfferGrid.tsx'
import classes from './Offers.module.css'
import type { OfferChoice } from './use-offer-choice.ts'

/** The offers of the chosen region, one of which is chosen. */
export function Offers({ choice }: { choice: OfferChoice }) {
  const { t } = useTranslation()
  const { query, chosen, page, turnTo, choose } = choice
  return (
    <QueryView
      query={query}
      skeleton={<CodeOfferGridSkeleton />}
      failed={<QueryFailed look="section" title={t('product.packagesFailed')} query={query} />}
      empty={<Message level={3} title={t('product.nothingToBuy')} />}
    >
      {(offers) => (
        <>
          <PopularOffers choice={choice} />
          <CodeOfferGrid
            label={t('product.choosePackage')}
            offers={offers}
            chosen={chosen}
            page={page}
            onPage={turnTo}
            onChoose={choose}
          />
        </>
      )}
    </QueryView>
  )
}

/** What most people take, at one press. */
function PopularOffers({ choice }: { choice: OfferChoice }) {
  const { t } = useTranslation()
  const { popular } = choice
  if (popular.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: the name of a fieldset can't stand in its row
    <div role="group" aria-label={t('product.popular')} className={classes.row}>
      <span className={classes.name} aria-hidden>
        {t('product.popular')}
      </span>
      {popular.map((entry) => (
        <PopularOffer key={entry.offer_id} entry={entry} choice={choice} />
      ))}
    </div>
  )
}

function PopularOffer({ entry, choice }: { entry: OfferEntry; choice: OfferChoice }) {
  const { showPrice } = useConversion()
  const isChosen = choice.chosen?.offer_id === entry.offer_id
  return (
    <Press look="plain" className={classes.offer} aria-pressed={isChosen} onClick={() => choice.choose(entry)}>
      <GameAmount amount={entry.game_amount} currency={entry.game_currency} />
      <span className={classes.price}>
        <Amount {...showPrice(entry)} />
      </span>
    </Press>
  )
}

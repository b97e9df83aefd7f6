import { Badge, Box, Checkbox, Radio, VisuallyHidden } from '@mantine/core'
import type { TopupOffer } from '@olmos/contract/topups'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { useCurrency } from '../../money/currency.ts'
import { savedPercent } from '../../money/saved-percent.ts'
import { Message } from '../../ui/Message.tsx'
import offerCard from '../../ui/OfferCard.module.css'
import { useSwipe } from '../../ui/use-swipe.ts'
import type { Selection } from './combination.ts'
import classes from './topups.module.css'

const card = `${offerCard.card} ${classes.card}`
type OffersQuery = UseQueryResult<TopupOffer[]>

interface OneOfferProps {
  query: OffersQuery
  /** 0 while none is chosen. */
  chosen: number
  toName(offer: TopupOffer): string
  onChoose(id: number): void
}

/** Offers one of which is chosen. */
export function OneOffer({ query, chosen, toName, onChoose }: OneOfferProps) {
  const { t } = useTranslation()
  return (
    <LoadedOffers query={query}>
      {(offers) => (
        <Radio.Group
          label={<VisuallyHidden>{t('product.choosePackage')}</VisuallyHidden>}
          labelProps={{ pos: 'absolute' }}
          value={String(chosen)}
          onChange={(id) => onChoose(Number(id))}
        >
          <OfferGrid
            offers={offers}
            render={(offer) => (
              <Radio.Card
                key={offer.id}
                value={String(offer.id)}
                radius="md"
                className={card}
                disabled={offer.available === 0}
              >
                <OfferFace offer={{ ...offer, name: toName(offer) }} offers={offers} />
              </Radio.Card>
            )}
          />
        </Radio.Group>
      )}
    </LoadedOffers>
  )
}

interface SeveralOffersProps {
  query: OffersQuery
  selection: Selection
  toName(offer: TopupOffer): string
  onToggle(id: number): void
}

/** Offers any number of which are chosen. */
export function SeveralOffers({ query, selection, toName, onToggle }: SeveralOffersProps) {
  const { t } = useTranslation()
  return (
    <LoadedOffers query={query}>
      {(offers) => (
        <Box role="group" aria-label={t('product.choosePackage')}>
          <OfferGrid
            offers={offers}
            render={(offer) => (
              <Checkbox.Card
                key={offer.id}
                checked={selection[offer.id] !== undefined}
                radius="md"
                className={card}
                disabled={offer.available === 0}
                onClick={() => onToggle(offer.id)}
              >
                <OfferFace offer={{ ...offer, name: toName(offer) }} offers={offers} />
                {(selection[offer.id] ?? 0) > 1 && (
                  <Badge component="span" className={classes.count} variant="filled" size="sm" radius={0}>
                    × {selection[offer.id]}
                  </Badge>
                )}
              </Checkbox.Card>
            )}
          />
        </Box>
      )}
    </LoadedOffers>
  )
}

/** What is on the card of an offer: what one gets, what it costs, and what is saved by taking so much. */
function OfferFace({ offer, offers }: { offer: TopupOffer; offers: readonly TopupOffer[] }) {
  const { t } = useTranslation()
  const { showPrice } = useConversion()
  const currency = useCurrency()
  const number = gameNumber(offer.game_amount)
  const isAmount = offer.name.startsWith(`${number} `)
  const unit = offer.name.slice(number.length + 1)
  const price = showPrice(offer)
  // A pass or a membership is one thing, and no amount.
  const percent = isCounted(offer) ? savedPercent(offer, offers.filter(isCounted), currency) : 0
  return (
    <>
      {isAmount ? (
        <span className={classes.amount}>
          {number}{' '}
          <span className={classes.unit} data-long={unit.length > shortUnit || undefined}>
            {unit}
          </span>
        </span>
      ) : (
        <span className={classes.name}>{offer.name}</span>
      )}
      <span className={classes.price} data-long={price.value >= 10_000 || undefined}>
        <Amount {...price} />
      </span>{' '}
      <span className={classes.note} data-sold-out={offer.available === 0 || undefined}>
        {offer.available === 0 && t('product.soldOut')}
        {offer.available > 0 && percent > 0 && t('product.saving', { percent })}
      </span>
    </>
  )
}

/** UC stands beside its number on the narrowest phone. */
const shortUnit = 3

const isCounted = ({ game_amount }: TopupOffer) => game_amount > 1

interface LoadedOffersProps {
  query: OffersQuery
  children(offers: TopupOffer[]): ReactNode
}

/** Offers once they are there; until then, and when they don't come, what stands in their place. */
function LoadedOffers({ query, children }: LoadedOffersProps) {
  const { t } = useTranslation()
  return (
    <QueryView
      query={query}
      skeleton={<OfferGridSkeleton />}
      failed={<QueryFailed look="section" title={t('product.packagesFailed')} query={query} />}
      empty={<Message level={3} title={t('product.nothingToBuy')} />}
    >
      {children}
    </QueryView>
  )
}

interface OfferGridProps {
  offers: readonly TopupOffer[]
  render(offer: TopupOffer): ReactNode
}

/** Three by three to a page. */
function OfferGrid({ offers, render }: OfferGridProps) {
  const [wanted, setWanted] = useState(1)
  const pages = Math.max(1, Math.ceil(offers.length / WEB_LIMITS.gridPageSize))
  const page = Math.min(wanted, pages)
  return (
    <>
      <div className={classes.grid} data-offers {...useSwipe(page, pages, setWanted)}>
        {offers.slice((page - 1) * WEB_LIMITS.gridPageSize, page * WEB_LIMITS.gridPageSize).map(render)}
      </div>
      <PagePager page={page} pages={pages} onChange={setWanted} hasDots />
    </>
  )
}

export const OfferGridSkeleton = () => (
  <div className={classes.grid} aria-hidden>
    {Array.from({ length: WEB_LIMITS.gridPageSize }, (_, index) => (
      <div key={index} className={`coming ${classes.card}`} />
    ))}
  </div>
)

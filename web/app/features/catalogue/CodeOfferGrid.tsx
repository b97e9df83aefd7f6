import type { OfferEntry } from '@olmos/contract/catalogue'
import type { TFunction } from 'i18next'
import { useId } from 'react'
import { gameNumber } from '../../i18n/digit-grouping.ts'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { useCurrency } from '../../money/currency.ts'
import { gameAmountText } from '../../money/game-number.ts'
import { savedPercent } from '../../money/saved-percent.ts'
import { useSwipe } from '../../ui/use-swipe.ts'
import classes from './CodeOfferGrid.module.css'

interface CodeOfferGridProps {
  label: string
  offers: readonly OfferEntry[]
  chosen: OfferEntry | undefined
  page: number
  onPage(page: number): void
  onChoose(entry: OfferEntry): void
}

const toText = (t: TFunction, { game_amount, game_currency }: OfferEntry) =>
  gameAmountText(t, game_amount, game_currency)

/** How many letters of a number with its unit stand in one line of a phone's cell. */
const oneLine = 9

/** Offers, nine a page, one of which is chosen. */
export function CodeOfferGrid({ label, offers, chosen, page, onPage, onChoose }: CodeOfferGridProps) {
  const { t } = useTranslation()
  const name = useId()
  const isLong = offers.some((entry) => toText(t, entry).length > oneLine)
  const pages = Math.ceil(offers.length / WEB_LIMITS.gridPageSize)
  const shown = offers.slice((page - 1) * WEB_LIMITS.gridPageSize, page * WEB_LIMITS.gridPageSize)
  return (
    <>
      <div
        role="radiogroup"
        aria-label={label}
        className={classes.grid}
        data-long={isLong || undefined}
        {...useSwipe(page, pages, onPage)}
      >
        {shown.map((entry) => (
          <OfferCell
            key={entry.offer_id}
            entry={entry}
            offers={offers}
            name={name}
            isChosen={entry.offer_id === chosen?.offer_id}
            onChoose={() => onChoose(entry)}
          />
        ))}
      </div>
      <PagePager page={page} pages={pages} onChange={onPage} hasDots />
    </>
  )
}

interface OfferCellProps {
  entry: OfferEntry
  offers: readonly OfferEntry[]
  /** What the radio buttons of the group have in common. */
  name: string
  isChosen: boolean
  onChoose(): void
}

/** Says what one gets, what it costs, and what is saved by taking so much. */
function OfferCell({ entry, offers, name, isChosen, onChoose }: OfferCellProps) {
  const { t } = useTranslation()
  const { showPrice } = useConversion()
  const isSoldOut = entry.available_count === 0
  const number = gameNumber(entry.game_amount)
  const unit = toText(t, entry).slice(number.length + 1)
  return (
    <label className={`cut ${classes.cell}`} data-chosen={isChosen || undefined} data-sold-out={isSoldOut || undefined}>
      <input
        type="radio"
        name={name}
        value={entry.offer_id}
        checked={isChosen}
        disabled={isSoldOut}
        onChange={onChoose}
        // What was chosen from the start is put into the address when it is pressed.
        onClick={isChosen ? onChoose : undefined}
        className={classes.radio}
      />
      <span className={classes.amount}>
        {number}{' '}
        <span className={classes.unit} data-wraps={unit.includes(' ') || undefined}>
          {unit}
        </span>
      </span>
      <span className={classes.price}>
        <Amount {...showPrice(entry)} />
      </span>{' '}
      <span className={classes.note}>
        <OfferNote entry={entry} offers={offers} />
      </span>
    </label>
  )
}

const few = 10

/** Says how many are left when they are few, else what a bigger package saves. */
function OfferNote({ entry, offers }: Pick<OfferCellProps, 'entry' | 'offers'>) {
  const { t } = useTranslation()
  const currency = useCurrency()
  if (entry.available_count === 0) return t('product.soldOut')
  if (entry.available_count < few) return t('product.left', { count: entry.available_count })
  const percent = savedPercent(entry, offers, currency)
  return percent > 0 ? t('product.saving', { percent }) : null
}

/** Has the shape and the surface of what comes. */
export const CodeOfferGridSkeleton = () => (
  <div className={classes.grid} aria-hidden>
    {Array.from({ length: WEB_LIMITS.gridPageSize }, (_, index) => (
      <div key={index} className={`coming ${classes.empty}`} />
    ))}
  </div>
)

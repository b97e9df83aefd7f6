import { memo } from 'react'
import { NavLink } from 'react-router'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { useConversion } from '../../money/conversion.ts'
import { paths } from '../../paths.ts'
import { Artwork } from '../../ui/Artwork.tsx'
import { RatingText } from './RatingText.tsx'
import classes from './Tile.module.css'
import type { TileData } from './tiles.ts'

interface TileProps {
  tile: TileData
  /** Among the first that are seen. */
  isFirst?: boolean
  /** What else there is to say, in the place of the price. */
  text?: string
  /** What a press is for, as a button of the link itself. */
  action?: string
  look?: 'tile' | 'row'
}

/** A product in its own colour, as one link that turns into the strip of its page. A page has dozens, and renders often. */
export const Tile = memo(function Tile({ tile, isFirst = false, text, action, look = 'tile' }: TileProps) {
  return (
    <NavLink
      to={paths.product(tile.slug)}
      prefetch="intent"
      viewTransition
      className={`cut ${classes.tile}`}
      data-look={look}
      style={{ '--olmos-product': tile.color } as React.CSSProperties}
    >
      <Artwork src={tile.image} isFirst={isFirst} className={`product-art ${classes.art}`} />
      <span className={classes.words}>
        <h3 className={classes.title}>{tile.title}</h3>
        {text && <span className={classes.text}>{text}</span>}
        <span className={classes.foot}>
          <span className={classes.from}>
            <From tile={tile} />
          </span>
          {action && <span className={classes.action}>{action}</span>}
        </span>
        {tile.rating && (
          <span className={classes.from}>
            <RatingText rating={tile.rating} />
          </span>
        )}
      </span>
    </NavLink>
  )
})

function From({ tile: { from, isSoldOut } }: { tile: TileData }) {
  const { t } = useTranslation()
  const { showPrice } = useConversion()
  if (isSoldOut) return t('product.soldOut')
  if (!from) return t('products.anyAmount')
  return (
    <>
      {t('products.from')}{' '}
      <b>
        <Amount {...showPrice({ price_usd: from.usd, price_rub: from.rub })} />
      </b>
    </>
  )
}

/** Tiles that touch like facets, three or two to the row of a phone. */
export const TileGrid = ({ isDense = false, children }: { isDense?: boolean; children: React.ReactNode }) => (
  <div className={classes.grid} data-dense={isDense || undefined}>
    {children}
  </div>
)

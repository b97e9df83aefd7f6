import { BUSINESS } from '@olmos/contract/business'
import type { Product } from '@olmos/contract/catalogue'
import type { CSSProperties, ReactNode } from 'react'
import { RatingText } from '../../features/catalogue/RatingText.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Artwork } from '../../ui/Artwork.tsx'
import { inkOn } from '../../ui/colour.ts'
import { BuyNotes } from './BuyNotes.tsx'
import classes from './ProductFrame.module.css'
import { ProductReviews } from './ProductReviews.tsx'

interface ProductFrameProps {
  product: Product
  /** The steps. */
  children: ReactNode
  /** What it comes to: beside the steps, or below them. */
  summary?: ReactNode
  /** The sum and the button: beside the steps, on a phone always at the thumb. */
  action?: ReactNode
  /** Within how many minutes a top-up is promised; none for codes. */
  promised?: number
  /** Whether the steps say when it arrives. */
  isTimingNoted?: boolean
}

/** What the pages of products have in common: its strip in its colour, the steps, the button, how to use it. */
export function ProductFrame({ product, children, summary, action, ...notes }: ProductFrameProps) {
  const { t } = useTranslation()
  const colors = { '--olmos-product': product.color, '--olmos-on-product': inkOn(product.color) } as CSSProperties
  return (
    <div className={classes.page} style={colors}>
      <div className={classes.strip}>
        <div className={classes.head}>
          <Artwork src={product.image_url} isFirst className={`product-art ${classes.art}`} />
          <div className={classes.name}>
            <h1 className={classes.title}>{product.title}</h1>
            {product.rating && product.rating.count >= BUSINESS.ratingShownFrom && (
              <RatingText rating={product.rating} />
            )}
          </div>
        </div>
      </div>
      <div className={classes.frame}>
        <div className={classes.steps}>
          <p className={classes.description}>{product.description}</p>
          {children}
        </div>
        {(summary || action) && (
          <aside className={classes.aside} aria-label={t('product.summary')}>
            {summary}
            {action && (
              <div className={classes.bar} data-thumb-bar>
                {action}
              </div>
            )}
            {action && <BuyNotes product={product} {...notes} />}
          </aside>
        )}
        {product.activation_instructions !== '' && (
          <section>
            <h2 className={classes.subtitle}>
              {t(product.kind === 'topup' ? 'topups.howTo' : 'product.instructions')}
            </h2>
            <p className={classes.instructions}>{product.activation_instructions}</p>
          </section>
        )}
        <ProductReviews product={product} />
      </div>
    </div>
  )
}

import type { Product } from '@olmos/contract/catalogue'
import { type ComponentType, useEffect, useId, useRef, useState } from 'react'
import { RatingText } from '../../features/catalogue/RatingText.tsx'
import { useTranslation } from '../../i18n/use-translation.ts'
import classes from './ProductReviews.module.css'

/** What buyers say of a product. The reviews, and how they are drawn, are loaded when they are about to be seen. */
export function ProductReviews({ product: { slug, rating } }: { product: Product }) {
  const { t } = useTranslation()
  const id = useId()
  const [section, List] = useNearList()
  if (!rating) return null
  return (
    <section aria-labelledby={id} ref={section} className={classes.reviews}>
      <h2 id={id} className={classes.title}>
        {t('reviews.title')}{' '}
        <span className={classes.rating}>
          <RatingText rating={rating} />
        </span>
      </h2>
      {List && <List key={slug} slug={slug} />}
    </section>
  )
}

const nearPixels = 600

/** Loads the list once its place is near what is seen; after a failure, when it comes near again. */
function useNearList() {
  const section = useRef<HTMLElement>(null)
  const [List, setList] = useState<ComponentType<{ slug: string }>>()
  useEffect(() => {
    if (!section.current || List) return
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        import('./ReviewList.tsx').then(
          ({ ReviewList }) => setList(() => ReviewList),
          () => {},
        )
      },
      { rootMargin: `${nearPixels}px` },
    )
    watch.observe(section.current)
    return () => watch.disconnect()
  }, [List])
  return [section, List] as const
}

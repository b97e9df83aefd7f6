import { Text, Title } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Artwork } from '../../ui/Artwork.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './ProductFrame.module.css'

interface ProductFrameProps {
  product: Product
  /** The steps. */
  children: ReactNode
  /** What it comes to: beside the steps, or below them. */
  summary?: ReactNode
  /** The sum and the button: beside the steps, on a phone always at the thumb. */
  action?: ReactNode
}

/** What the pages of products have in common: what it is, the steps, the button, how to use it. */
export function ProductFrame({ product, children, summary, action }: ProductFrameProps) {
  const { t } = useTranslation()
  return (
    <Page>
      <div className={classes.frame}>
        <div className={classes.steps}>
          <div className={classes.head}>
            <Artwork src={product.image_url} isFirst className={classes.art} />
            <Title order={1} className={classes.title}>
              {product.title}
            </Title>
            <Text c="dimmed" className={classes.description}>
              {product.description}
            </Text>
          </div>
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
          </aside>
        )}
        {product.activation_instructions !== '' && (
          <section>
            <Title order={2} size="h3" mb="xs">
              {t(product.kind === 'topup' ? 'topups.howTo' : 'product.instructions')}
            </Title>
            <Text className={classes.instructions}>{product.activation_instructions}</Text>
          </section>
        )}
      </div>
    </Page>
  )
}

import { Image, Text, Title } from '@mantine/core'
import type { Product } from '@olmos/contract/catalogue'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../ui/Page.tsx'
import classes from './TopupFrame.module.css'

interface TopupFrameProps {
  product: Product
  /** The steps. */
  children: ReactNode
  /** What it comes to: beside the steps, or below them. */
  summary?: ReactNode
  /** The button, always at hand. */
  action?: ReactNode
}

/** What the pages of top-ups have in common: what it is, the steps, the sum, how it works. */
export function TopupFrame({ product, children, summary, action }: TopupFrameProps) {
  const { t } = useTranslation()
  return (
    <Page>
      <div className={classes.frame}>
        <div>
          <div className={classes.head}>
            <Image src={product.image_url || null} alt="" className={classes.art} bg="var(--olmos-surface-raised)" />
            <Title order={1}>{product.title}</Title>
          </div>
          <Text c="dimmed" mb="xl">
            {product.description}
          </Text>
          {children}
        </div>
        {(summary || action) && (
          <aside className={classes.aside}>
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
              {t('topups.howTo')}
            </Title>
            <Text style={{ whiteSpace: 'pre-line' }}>{product.activation_instructions}</Text>
          </section>
        )}
      </div>
    </Page>
  )
}

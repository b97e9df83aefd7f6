import { Badge, Radio, SimpleGrid, Skeleton, Text, VisuallyHidden } from '@mantine/core'
import type { OfferEntry } from '@olmos/contract/catalogue'
import { useTranslation } from 'react-i18next'
import { PagePager } from '../../i18n/PagePager.tsx'
import { useLanguage } from '../../i18n/use-language.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { useConversion } from '../../money/conversion.ts'
import { formatAmount } from '../../money/format.ts'
import { GameAmount } from '../../money/GameAmount.tsx'
import { Price } from '../../money/Price.tsx'
import { perHundred } from '../../money/total.ts'
import offerCard from '../../ui/OfferCard.module.css'
import classes from './CodeOfferGrid.module.css'

interface CodeOfferGridProps {
  label: string
  offers: readonly OfferEntry[]
  chosen: OfferEntry | undefined
  page: number
  onPage(page: number): void
  onChoose(entry: OfferEntry): void
}

/** Offers, nine a page, one of which is chosen. */
export function CodeOfferGrid({ label, offers, chosen, page, onPage, onChoose }: CodeOfferGridProps) {
  const pages = Math.ceil(offers.length / WEB_LIMITS.gridPageSize)
  const shown = offers.slice((page - 1) * WEB_LIMITS.gridPageSize, page * WEB_LIMITS.gridPageSize)
  const choose = (offerId: string) => {
    const entry = offers.find((one) => String(one.offer_id) === offerId)
    if (entry) onChoose(entry)
  }
  return (
    <>
      <Radio.Group
        label={<VisuallyHidden>{label}</VisuallyHidden>}
        labelProps={{ pos: 'absolute' }}
        value={String(chosen?.offer_id ?? '')}
        onChange={choose}
      >
        <SimpleGrid cols={WEB_LIMITS.gridColumns} spacing={{ base: 'xs', sm: 'sm' }} verticalSpacing="sm">
          {shown.map((entry) => (
            <OfferCard key={entry.offer_id} entry={entry} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <PagePager page={page} pages={pages} onChange={onPage} hasDots />
    </>
  )
}

const few = 10

function OfferCard({ entry }: { entry: OfferEntry }) {
  const { t } = useTranslation()
  const isSoldOut = entry.available_count === 0
  return (
    <Radio.Card
      className={`${offerCard.card} ${classes.card}`}
      value={String(entry.offer_id)}
      disabled={isSoldOut}
      radius="md"
    >
      {entry.is_popular && (
        <Badge size="sm" className={classes.badge}>
          {t('product.hit')}
        </Badge>
      )}
      <Text fw={700} className={classes.amount}>
        <GameAmount amount={entry.game_amount} currency={entry.game_currency} />
      </Text>
      <Price usd={entry.price_usd} rub={entry.price_rub} isStacked />
      <Text size="xs" c={isSoldOut ? 'var(--olmos-bad)' : 'dimmed'} className={classes.note}>
        <OfferNote entry={entry} />
      </Text>
    </Radio.Card>
  )
}

/** Says how many are left when they are few, else what a hundred cost, as bigger offers are cheaper. */
function OfferNote({ entry }: { entry: OfferEntry }) {
  const { t } = useTranslation()
  const { showPrice } = useConversion()
  const language = useLanguage()
  if (entry.available_count === 0) return t('product.soldOut')
  if (entry.available_count < few) return t('product.left', { count: entry.available_count })
  if (entry.game_amount < 100) return null
  const { value, currency } = perHundred(showPrice(entry), entry.game_amount)
  return t('product.perHundred', { price: formatAmount(value, currency, language) })
}

export function CodeOfferGridSkeleton() {
  return (
    <SimpleGrid cols={WEB_LIMITS.gridColumns} spacing={{ base: 'xs', sm: 'sm' }} verticalSpacing="sm">
      {Array.from({ length: WEB_LIMITS.gridPageSize }, (_, index) => (
        <Skeleton key={index} h={124} radius="md" />
      ))}
    </SimpleGrid>
  )
}

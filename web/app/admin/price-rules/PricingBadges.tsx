import { Stack, Text } from '@mantine/core'
import type { OfferPricing } from '@olmos/contract/offers'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'

type Shown = Pick<
  OfferPricing,
  'price_mode' | 'rub_at_rate' | 'has_drifted' | 'has_pending_price' | 'under_floor_since'
>

/** How a package is priced, and what is odd about it: prices that have drifted apart, that wait, that are under cost. */
export function PricingBadges({ pricing }: { pricing: Shown }) {
  const { t } = useTranslation()
  return (
    <Stack gap={2} align="flex-start">
      {t(`admin.priceRules.modes.${pricing.price_mode}`)}
      {pricing.has_drifted && (
        <>
          <StatusBadge tone="wait" text={t('admin.priceRules.drifted')} />
          <Text size="xs" c="dimmed">
            {t('admin.priceRules.atRate')} <Amount value={pricing.rub_at_rate} currency="RUB" />
          </Text>
        </>
      )}
      {pricing.has_pending_price && <StatusBadge tone="wait" text={t('admin.priceRules.waits')} />}
      {pricing.under_floor_since && <StatusBadge tone="bad" text={t('admin.priceRules.offSale')} />}
    </Stack>
  )
}

import { Group, Text } from '@mantine/core'
import type { AppliedCoupon } from '@olmos/contract/coupons'
import type { Currency } from '@olmos/contract/money'
import type { OfferedMethod } from '@olmos/contract/payments'
import { useTranslation } from '../../i18n/use-translation.ts'
import { Amount } from '../../money/Amount.tsx'
import { ConvertedNote } from '../../money/ConvertedNote.tsx'
import { useConversion } from '../../money/conversion.ts'
import { isConvertedCurrency } from '../../money/currency.ts'

interface OrderTotalProps {
  /** In major units of the order's currency. */
  total: number
  currency: Currency
  /** What the chosen method charges; undefined while that is not known. */
  charge: OfferedMethod['charge'] | undefined
  /** The coupon without which it would be more. */
  coupon: AppliedCoupon | undefined
}

/**
 * What the order comes to, as the customer sees prices: where the chosen method charges in that currency, exactly what it
 * charges. A converted sum has the order's own beneath it, which is what the balance pays.
 */
export function OrderTotal({ total, currency, charge, coupon }: OrderTotalProps) {
  const { t } = useTranslation()
  const { shown, convert } = useConversion()
  const isConverted = isConvertedCurrency(shown)
  const exact = isConverted && charge?.currency === shown ? charge.amount : null
  const amount = exact === null ? convert(total, currency) : { value: exact, currency: shown }
  return (
    <div>
      {coupon && (
        <Group justify="space-between" align="baseline">
          <Text c="dimmed">{t('checkout.coupon.discount')}</Text>
          <Text fw={600}>
            −<Amount {...convert(coupon.discount, currency)} />
          </Text>
        </Group>
      )}
      <Group justify="space-between" align="baseline">
        <Text c="dimmed">{t('checkout.total')}</Text>
        <Text fw={700} size="xl">
          <Amount {...amount} />
        </Text>
      </Group>
      {isConverted && (
        <Group justify="space-between" align="baseline">
          <Text c="dimmed">{t('converted.order')}</Text>
          <Text fw={600}>
            <Amount value={total} currency={currency} />
          </Text>
        </Group>
      )}
      <ConvertedNote />
    </div>
  )
}

import { Text } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import type { PartialRefund, RefundedTo } from '@olmos/contract/orders'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { formatAmount } from '../../money/format.ts'

export const refundTexts = {
  card: 'receipt.refundedToCard',
  wallet: 'receipt.refundedToWallet',
  both: 'receipt.refundedToBoth',
} as const satisfies Record<RefundedTo, string>

/** Shows the refunds of a part of a line: how many units or which sum, and where to. */
export function PartialRefunds({ refunds, currency }: { refunds: readonly PartialRefund[]; currency: Currency }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return refunds.map(({ quantity, destination, ...refund }, place) => {
    const amount = formatAmount(refund.amount, currency, language)
    return (
      <Text key={place} size="sm" c="dimmed">
        {t(refundTexts[destination])}:{' '}
        {quantity === null ? amount : t('receipt.refundedQuantity', { quantity, amount })}
      </Text>
    )
  })
}

import { Text } from '@mantine/core'
import type { Currency } from '@olmos/contract/money'
import type { PartialRefund } from '@olmos/contract/orders'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../i18n/use-language.ts'
import { formatAmount } from '../../money/format.ts'

/** Shows the refunds of a part of a line: how many units or which sum, and where to. */
export function PartialRefunds({ refunds, currency }: { refunds: readonly PartialRefund[]; currency: Currency }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return refunds.map(({ quantity, destination, ...refund }, place) => {
    const amount = formatAmount(refund.amount, currency, language)
    return (
      <Text key={place} size="sm" c="dimmed">
        {t(destination === 'card' ? 'receipt.refundedToCard' : 'receipt.refundedToWallet')}:{' '}
        {quantity === null ? amount : t('receipt.refundedQuantity', { quantity, amount })}
      </Text>
    )
  })
}

import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isRefusal } from '../../api/api-error.ts'
import { failureText } from '../../api/failure-text.ts'
import { QueryFailed, QueryView } from '../../api/QueryView.tsx'
import { formatRecent } from '../../i18n/format-moment.ts'
import { useLanguage } from '../../i18n/use-language.ts'
import { useTranslation } from '../../i18n/use-translation.ts'
import { WEB_LIMITS } from '../../limits.ts'
import { OrderPanel } from './OrderPanel.tsx'
import { useOrderWithoutCodes, useReceipt, useReveal } from './orders.queries.ts'

interface PaidOrderProps {
  id: string
  skeleton: ReactNode
}

/**
 * The order that was paid a moment ago, unfolded. It comes without its codes: they are read, and that is recorded, when
 * its buyer presses a ticket.
 */
export function PaidOrder({ id, skeleton }: PaidOrderProps) {
  const { t } = useTranslation()
  const [isRevealed, setIsRevealed] = useState(false)
  const withoutCodes = useOrderWithoutCodes(id, { enabled: !isRevealed })
  const receipt = useReceipt(id, { enabled: isRevealed })
  const read = useReveal(id)
  const query = isRevealed ? receipt : withoutCodes
  const reveal = async () => {
    const order = await read()
    setIsRevealed(true)
    return order
  }
  return (
    <QueryView
      query={query}
      skeleton={skeleton}
      // The page may have been left open by who is not logged in any more.
      failed={
        isRefusal(query.error, 'NOT_FOUND') ? null : (
          <QueryFailed title={t('receipt.failed')} text={failureText(t, query.error)} query={query} />
        )
      }
    >
      {(order) => (
        <>
          <PaidEarlier at={order.created_at} />
          <OrderPanel order={order} level={2} isFresh onReveal={isRevealed ? undefined : reveal} />
        </>
      )}
    </QueryView>
  )
}

/**
 * A press whose answer a reload has swallowed is answered by the order it made, however late it is repeated: who meant
 * another one sees that this is the earlier one, as does who comes back here later.
 */
function PaidEarlier({ at }: { at: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [now] = useState(Date.now)
  if (now - Date.parse(at) < WEB_LIMITS.paidEarlierMs) return null
  return (
    <Alert icon={<IconInfoCircle />} mb="md" role="status">
      {t('orders.paidEarlier', { time: formatRecent(at, now, language) })}
    </Alert>
  )
}
